import { Anchor, Button } from '@mantine/core'
import { Link } from 'react-router'
import { readPageSettings } from '#lib/page-settings.ts'
import { NoticeSection } from '#ui/notice-section.tsx'
import classes from '../connections.module.css'
import { usePauseWebhook, useWebhooks } from './queries.ts'

type SwitchedOffProps = { onLeave: () => void }

/** Webhooks that the server has given up on, until their owner decides. */
export function SwitchedOff({ onLeave }: SwitchedOffProps) {
  return readPageSettings().supabaseUrl === '' ? <Notice onLeave={onLeave} /> : null
}

function Notice({ onLeave }: SwitchedOffProps) {
  const { data = [] } = useWebhooks()
  const { mutate: pause, isPending } = usePauseWebhook()
  const off = data.filter(({ switched_off_at }) => switched_off_at !== null)
  if (off.length === 0) return null
  return (
    <NoticeSection title="Webhooks" order={3}>
      <ul className={classes.list}>
        {off.map(({ id, url }) => (
          <li key={id} className={classes.proposal}>
            <div className={classes.sentence}>
              <bdi>{url}</bdi> was switched off
            </div>
            <div className={classes.foot}>
              <span className={classes.quiet}>
                No delivery arrived for a week.{' '}
                <Anchor component={Link} to="/app/settings/connections" size="xs" onClick={onLeave}>
                  Open connections
                </Anchor>
              </span>
              <Button
                size="compact-sm"
                variant="default"
                aria-label={`Leave ${url} off`}
                disabled={isPending}
                onClick={() => pause({ id, pause: true })}
              >
                Leave it off
              </Button>
            </div>
          </li>
        ))}
      </ul>
    </NoticeSection>
  )
}
