import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { scopeWords } from '#domain/access-token.ts'
import { fromNow, shownDay } from '#domain/dates.ts'
import { useTimeZone } from '#features/preferences/index.ts'
import { errorMessage } from '#lib/errors.ts'
import { useNow } from '#lib/use-now.ts'
import { confirmAction } from '#ui/confirm.tsx'
import { openedPart } from '#ui/lazy-part.tsx'
import { Panel, PanelNote, PanelRow } from '#ui/panel.tsx'
import { PanelScreen } from '#ui/panel-screen.tsx'
import { ErrorState, LoadingState } from '#ui/states.tsx'
import { TintBadge } from '#ui/tint-badge.tsx'
import classes from './connections.module.css'
import { type AccessToken, useRemoveToken, useRevokeToken, useTokens } from './queries.ts'
import { WaysToConnect, WebConnector } from './ways-to-connect.tsx'
import { WebhooksPanel } from './webhooks/webhooks-panel.tsx'

const TokenDialog = openedPart(async () => (await import('./token-dialog.tsx')).TokenDialog)

/** The account's tokens, and how to connect with one. */
export function ConnectionsPage() {
  const [isMaking, setIsMaking] = useState(false)
  return (
    <>
      <PanelScreen
        title="Connections"
        subtitle="Let assistants and programs work in your account"
        back={{ label: 'Settings', to: '/app/settings' }}
        actions={
          <Button
            leftSection={<IconPlus size={16} stroke={1.5} aria-hidden />}
            onClick={() => setIsMaking(true)}
          >
            New token
          </Button>
        }
      >
        <Panel title="Access tokens" text="Each works until it expires or you revoke it.">
          <Tokens />
        </Panel>
        <Panel
          title="Connect an assistant"
          text="Web assistants ask you to sign in. For others, create a token first."
        >
          <div className={classes.steps}>
            <WebConnector />
            <WaysToConnect />
          </div>
        </Panel>
        <WebhooksPanel />
        <Panel title="API">
          <PanelRow
            title="Functions and examples"
            text="Everything assistants can do, from your own code."
          >
            <Button component={Link} to="/app/settings/connections/interface" variant="default">
              Show API reference
            </Button>
          </PanelRow>
        </Panel>
      </PanelScreen>
      {isMaking && <TokenDialog onClose={() => setIsMaking(false)} />}
    </>
  )
}

function Tokens() {
  const { data: tokens, error, refetch } = useTokens()
  if (error) {
    return (
      <ErrorState
        title="Your tokens could not be loaded"
        message={errorMessage(error)}
        onRetry={refetch}
      />
    )
  }
  if (!tokens) return <LoadingState text="Loading tokens..." />
  if (tokens.length === 0) {
    return (
      <PanelNote>
        No tokens yet. Create one to let an assistant look things up, or log calls for you.
      </PanelNote>
    )
  }
  return tokens.map((token) => <TokenRow key={token.id} token={token} />)
}

function TokenRow({ token }: { token: AccessToken }) {
  const revoke = useRevokeToken()
  const remove = useRemoveToken()
  const words = useTokenWords(token)
  const { id, name, scope, has_ended, revoked_at } = token
  async function askAndRevoke(): Promise<void> {
    const isSure = await confirmAction({
      title: `Revoke “${name}”?`,
      body: 'It stops working immediately. Its changes stay.',
      confirm: 'Revoke',
      isDangerous: true,
    })
    if (isSure) revoke.mutate(id)
  }
  return (
    <PanelRow
      title={<bdi className={has_ended ? classes.ended : undefined}>{name}</bdi>}
      badge={
        has_ended ? (
          <TintBadge color="gray">{revoked_at ? 'Revoked' : 'Expired'}</TintBadge>
        ) : (
          <TintBadge color={scope === 'write' ? 'orange' : 'blue'}>
            {scopeWords[scope].name}
          </TintBadge>
        )
      }
      text={words}
    >
      {has_ended ? (
        <Button
          variant="default"
          aria-label={`Remove ${name}`}
          loading={remove.isPending}
          onClick={() => remove.mutate(id)}
        >
          Remove
        </Button>
      ) : (
        <Button
          variant="default"
          c="var(--mantine-color-error)"
          aria-label={`Revoke ${name}`}
          loading={revoke.isPending}
          onClick={askAndRevoke}
        >
          Revoke
        </Button>
      )}
    </PanelRow>
  )
}

/** 'Connected app, claude.ai · Last used 5 minutes ago from 203.0.113.7 · Expires Dec 1, 2026'. */
function useTokenWords(token: AccessToken): string {
  const now = useNow()
  const timeZone = useTimeZone()
  const { last_used_at, last_address, expires_at, has_ended, refused_at, refused_address } = token
  const { client_host } = token
  const ago = (at: string, from: string | null) =>
    `${fromNow(at, now, timeZone)}${from ? ` from ${from}` : ''}`
  const used = last_used_at ? `Last used ${ago(last_used_at, last_address)}` : 'Never used'
  const ends = expires_at
    ? `${has_ended ? 'Expired' : client_host ? 'Expires unless used by' : 'Expires'} ${shownDay(expires_at, timeZone)}`
    : null
  const refused = refused_at ? `Tried again ${ago(refused_at, refused_address)}` : null
  const app = client_host ? `Connected app, ${client_host}` : null
  return [app, used, ends, refused].filter(Boolean).join(' · ')
}
