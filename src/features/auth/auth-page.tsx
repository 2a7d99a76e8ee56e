import { Alert, Button, Center, Group, Paper, Stack, Tabs, Text, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { type ReactNode, useEffect, useState } from 'react'
import { Navigate, useSearchParams } from 'react-router'
import { z } from 'zod/mini'
import { returnPath } from '#domain/auth.ts'
import { canRemember } from '#lib/browser-storage.ts'
import { ProductMark } from '#ui/product-mark.tsx'
import { LoadingState } from '#ui/states.tsx'
import { showError } from '#ui/toast.tsx'
import { useAuth } from './auth-provider.tsx'
import { ConfirmLink, linkWords } from './confirm-link.tsx'
import { ForgotPasswordForm } from './forgot-password-form.tsx'
import { useMailLink, useMailLinkProblem } from './mail-link.ts'
import { NewPasswordForm } from './new-password-form.tsx'
import { SignInForm } from './sign-in-form.tsx'
import { SignUpForm } from './sign-up-form.tsx'
import { useAuthForm } from './use-auth-form.ts'

const searchSchema = z.object({
  tab: z.catch(z.enum(['login', 'signup']), 'login'),
  view: z.catch(z.enum(['tabs', 'forgot', 'new-password']), 'tabs'),
  next: z.catch(z.nullable(z.string()), null),
})

const titles = {
  tabs: 'Sign in',
  forgot: 'Forgot your password?',
  'new-password': 'Set a new password',
}

export function AuthPage() {
  const auth = useAuth()
  const [search, setSearch] = useSearchParams()
  const fields = useAuthForm()
  const [isVisible, setIsVisible] = useState(false)
  const [signedUp, setSignedUp] = useState<string | null>(null)
  const { problem, putAside, setVoid } = useMailLinkProblem()
  const { link, takeFromAddress } = useMailLink()
  const { tab, view, next } = searchSchema.parse({
    tab: search.get('tab'),
    view: search.get('view'),
    next: search.get('next'),
  })
  const isRecovering = auth.status === 'signed-in' && (auth.isRecovering || view === 'new-password')
  const shown = isRecovering ? 'new-password' : view === 'new-password' ? 'tabs' : view
  useDocumentTitle(`${link ? linkWords[link.type].title : titles[shown]} · Solo CRM`)
  // A recovery link works once, but its session survives a reload, so the address keeps this view. Without a session
  // the view is removed: after signing in the user wants the app.
  const isKept = view === 'new-password'
  const shouldKeep = auth.status === 'loading' ? isKept : isRecovering
  const hasLink = link !== null
  useEffect(() => {
    // Wait until the link is out of the address: two changes at once would lose one.
    if (hasLink || isKept === shouldKeep) return
    setSearch(
      {
        ...(shouldKeep ? { view: 'new-password' } : {}),
        ...(next ? { next } : {}),
      },
      { replace: true },
    )
  }, [hasLink, isKept, shouldKeep, next, setSearch])

  // A signed-in user is redirected at once; a failed link is reported there.
  const isRedirected = auth.status === 'signed-in' && !isRecovering && !link
  const linkError = isRedirected ? problem?.message : undefined
  useEffect(() => {
    if (linkError) showError(linkError)
  }, [linkError])

  if (auth.status === 'loading') return <LoadingState text="Loading..." isFullPage />
  if (link) {
    return (
      <AuthCard title={linkWords[link.type].title}>
        <ConfirmLink
          key={link.token_hash}
          link={link}
          onFollowed={() => {
            takeFromAddress()
            putAside()
          }}
          onVoid={() => {
            takeFromAddress()
            fields.setFailure(null)
            setSignedUp(null)
            setVoid(link.type)
          }}
        />
      </AuthCard>
    )
  }
  if (isRedirected) {
    return <Navigate to={returnPath(next) ?? '/app/dashboard'} replace />
  }

  /** Changes the open tab or view in the address, and keeps the page to return to. */
  function open(change: { tab?: 'login' | 'signup'; view?: 'forgot' | 'tabs' }): void {
    fields.setFailure(null)
    fields.form.clearErrors()
    setSignedUp(null)
    putAside()
    const target = { tab, view: shown, ...change }
    setSearch(
      {
        ...(target.tab === 'signup' ? { tab: target.tab } : {}),
        ...(target.view === 'forgot' ? { view: target.view } : {}),
        ...(next ? { next } : {}),
      },
      { replace: true },
    )
  }

  const password = { isVisible, onToggle: () => setIsVisible((before) => !before) }
  if (shown === 'new-password') {
    return (
      <AuthCard title={titles[shown]}>
        <NewPasswordForm fields={fields} password={password} next={returnPath(next)} />
      </AuthCard>
    )
  }
  if (shown === 'forgot') {
    return (
      <AuthCard title={titles[shown]} subtitle="Enter your email and we’ll send you a link.">
        <ForgotPasswordForm fields={fields} onBack={() => open({ view: 'tabs', tab: 'login' })} />
      </AuthCard>
    )
  }
  return (
    <AuthCard title="Solo CRM" subtitle="Your customers, deals and next steps.">
      <Tabs
        value={tab}
        onChange={(value) => open({ tab: value === 'signup' ? value : 'login' })}
        // Arrows only move between the tabs, because opening one moves the focus into its form.
        activateTabWithKeyboard={false}
      >
        <Tabs.List grow mb="md">
          <Tabs.Tab value="login">Login</Tabs.Tab>
          <Tabs.Tab value="signup">Sign Up</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="login">
          {tab === 'login' && (
            <SignInForm
              fields={fields}
              password={password}
              signedUp={signedUp}
              linkProblem={problem}
              onRefused={() => setSignedUp(null)}
              onForgot={() => open({ view: 'forgot' })}
            />
          )}
        </Tabs.Panel>
        <Tabs.Panel value="signup">
          {tab === 'signup' && (
            <SignUpForm
              fields={fields}
              password={password}
              onMustConfirm={(email) => {
                open({ tab: 'login' })
                setSignedUp(email)
              }}
            />
          )}
        </Tabs.Panel>
      </Tabs>
    </AuthCard>
  )
}

type AuthCardProps = { title: string; subtitle?: string; children: ReactNode }

function AuthCard({ title, subtitle, children }: AuthCardProps) {
  return (
    <Center component="main" mih="100dvh" p="md">
      <Stack w="100%" maw={400} gap="md">
        <Stack gap="sm" mb="sm" align="center" ta="center">
          <ProductMark size={36} />
          <Title order={1}>{title}</Title>
          {subtitle && <Text c="dimmed">{subtitle}</Text>}
        </Stack>
        {!canRemember() && (
          <Alert color="yellow" title="You’ll be signed out when you close this tab">
            Your browser blocks storage, so Solo CRM can’t keep you signed in.
          </Alert>
        )}
        <Paper withBorder p="lg">
          {children}
        </Paper>
        <Group justify="center">
          <Button variant="subtle" color="gray" onClick={() => window.location.assign('/')}>
            Go to Home Page
          </Button>
        </Group>
      </Stack>
    </Center>
  )
}
