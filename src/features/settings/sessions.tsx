import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { fromNow } from '#domain/dates.ts'
import { useTimeZone } from '#features/preferences/index.ts'
import { readProblem } from '#lib/errors.ts'
import { useNow } from '#lib/use-now.ts'
import { PanelRow } from '#ui/panel.tsx'
import { TintBadge } from '#ui/tint-badge.tsx'
import { type AccountSession, useSessions, useSignOutElsewhere } from './queries.ts'
import classes from './settings.module.css'

/** The sessions of the account, with a button to end all others. */
export function Sessions() {
  const { data: sessions, error, refetch } = useSessions()
  const { mutate: signOutElsewhere, isPending } = useSignOutElsewhere()
  const others = sessions?.filter(({ is_current }) => !is_current) ?? []
  return (
    <>
      <PanelRow title="Where you are signed in" text={textFor(sessions, error)}>
        {error ? (
          <Button variant="default" onClick={() => refetch()}>
            Try again
          </Button>
        ) : (
          <Button
            variant="default"
            disabled={others.length === 0 || isPending}
            onClick={() => signOutElsewhere()}
          >
            Sign out everywhere else
          </Button>
        )}
      </PanelRow>
      {sessions && (
        <ul className={classes.sessions} aria-label="Sessions">
          {sessions.map((session) => (
            <SessionLine key={session.id} session={session} />
          ))}
        </ul>
      )}
    </>
  )
}

function textFor(sessions: AccountSession[] | undefined, error: Error | null): string {
  if (error) return readProblem(error)
  if (!sessions) return 'Loading...'
  return sessions.length > 1
    ? 'Don’t recognize a session? Sign out everywhere else, then change your password.'
    : 'Only on this device.'
}

function SessionLine({ session }: { session: AccountSession }) {
  const now = useNow()
  const timeZone = useTimeZone()
  const name = useBrowserName(session.user_agent)
  return (
    <li>
      <span className={classes.browser}>{name}</span>
      {session.is_current ? (
        <TintBadge color="green">This device</TintBadge>
      ) : (
        <span className={classes.quiet}>
          Last used {fromNow(session.last_used_at, now, timeZone)}
        </span>
      )}
    </li>
  )
}

/** 'Firefox on Windows'; loads the parser for user agents. */
function useBrowserName(userAgent: string | null): string {
  const { data } = useQuery({
    queryKey: ['browser-name', userAgent],
    queryFn: async () => (await import('./browser-name.ts')).browserName(userAgent),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return data ?? 'Browser'
}
