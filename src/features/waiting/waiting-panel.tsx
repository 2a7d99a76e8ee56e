import { Button, Drawer, Group, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { shownMoment } from '#domain/dates.ts'
import { stageLabel } from '#domain/deal.ts'
import { mineOf, type Version, versionOf } from '#domain/waiting-words.ts'
import { isStuckIn } from '#domain/waiting-writes.ts'
import { knownStages } from '#features/pipelines/index.ts'
import { useTimeZone } from '#features/preferences/index.ts'
import { sendAgain } from '#lib/settle-waiting.ts'
import { useWaiting, type WaitingWrite, waitingQueue } from '#lib/waiting-writes.ts'
import { takeBackAsking } from './take-back.ts'
import classes from './waiting-panel.module.css'

type WaitingPanelProps = { isOpen: boolean; onClose: () => void }

/** Everything that is not sent yet; what the server has refused comes first. */
export function WaitingPanel({ isOpen, onClose }: WaitingPanelProps) {
  // Opened one render after mounting: only then does Mantine remember the focus to return.
  const [isHere, setIsHere] = useState(false)
  useEffect(() => setIsHere(true), [])
  const writes = useWaiting()
  const isStored = writes.every(({ batch }) => waitingQueue()?.isStored(batch))
  const stuck = writes.filter((write) => isStuckIn(writes, write))
  const others = writes.filter((write) => !stuck.includes(write))
  return (
    <Drawer.Root opened={isHere && isOpen} onClose={onClose} position="right" size={460}>
      <Drawer.Overlay />
      <Drawer.Content>
        <Drawer.Body p="md">
          {/* No header element: the page has one already. */}
          <Group justify="space-between" wrap="nowrap">
            <Drawer.Title fz={16} fw={600}>
              Not sent yet
            </Drawer.Title>
            <Drawer.CloseButton aria-label="Close" />
          </Group>
          <Text c="dimmed" size="sm">
            {writes.length === 0
              ? 'Everything has been sent.'
              : `${isStored ? 'Saved on this device.' : 'This device can’t save all of it: keep this window open.'} Sent in this order when you’re back online.`}
          </Text>
          <ul className={classes.list}>
            {[...stuck, ...others].map((write) => (
              <Item key={write.batch} write={write} />
            ))}
          </ul>
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  )
}

function Item({ write }: { write: WaitingWrite }) {
  const { batch, title, at, state, action, args, theirs, reason } = write
  const timeZone = useTimeZone()
  const queryClient = useQueryClient()
  const stages = knownStages(queryClient)
  const words = {
    timeZone,
    stageName(id: string) {
      const name = stages.find((stage) => stage.id === id)?.name
      return name === undefined ? undefined : stageLabel(name)
    },
  }
  const isStuck = state === 'refused' || state === 'conflict'
  const mine = mineOf(action, args, words)
  return (
    <li className={classes.item}>
      <p className={classes.title} dir="auto">
        {title}
      </p>
      <p className={classes.about}>
        {stateWords(write)} · {shownMoment(new Date(at).toISOString(), timeZone)}
      </p>
      {state === 'refused' && <p className={classes.reason}>{reason}</p>}
      {state === 'conflict' && (
        <p className={classes.reason}>
          This was changed elsewhere in the meantime. Choose a version.
        </p>
      )}
      {isStuck && (
        <Versions mine={mine} theirs={theirs ? versionOf(action, theirs, words) : null} />
      )}
      {state !== 'taken back' && (
        <div className={classes.actions}>
          {state === 'conflict' && (
            <Button size="compact-sm" onClick={() => sendAgain(batch)}>
              Use mine
            </Button>
          )}
          {state === 'refused' && (
            <Button size="compact-sm" onClick={() => sendAgain(batch)}>
              Try again
            </Button>
          )}
          <Button variant="default" size="compact-sm" onClick={() => takeBackAsking(batch)}>
            {state === 'conflict' ? 'Keep the other version' : 'Take back'}
          </Button>
        </div>
      )}
    </li>
  )
}

function stateWords({ state }: WaitingWrite): string {
  if (state === 'refused' || state === 'conflict') return 'Not sent'
  return state === 'taken back' ? 'Undoing…' : 'Waiting to be sent'
}

/** Both versions of a conflict, field by field; of a refused write only the user's own values. */
function Versions({ mine, theirs }: { mine: Version; theirs: Version | null }) {
  const names = Object.keys(mine).filter((name) => !theirs || mine[name] !== theirs[name])
  if (names.length === 0) return null
  return (
    <table className={classes.versions} aria-label="Both versions">
      <thead>
        <tr>
          <th scope="col">Field</th>
          <th scope="col">Mine</th>
          {theirs && <th scope="col">Other version</th>}
        </tr>
      </thead>
      <tbody>
        {names.map((name) => (
          <tr key={name}>
            <td>{name}</td>
            <td dir="auto">{mine[name]}</td>
            {theirs && <td dir="auto">{theirs[name] ?? '-'}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
