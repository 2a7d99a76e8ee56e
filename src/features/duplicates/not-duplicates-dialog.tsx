import { Button, Modal } from '@mantine/core'
import { useList } from '#lib/use-list.ts'
import { ListBody } from '#ui/list-body.tsx'
import { EmptyState, LoadingState } from '#ui/states.tsx'
import classes from './duplicates.module.css'
import { type Kind, kindOf, type MergeRecord } from './kinds.ts'
import { notDuplicatesLists, pairView, useUnmarkNotDuplicates } from './queries.ts'

type NotDuplicatesDialogProps = { kind: Kind; onClose: () => void }

/** Lists the pairs that are marked as not duplicates, each with a button to remove the mark. */
export function NotDuplicatesDialog({ kind, onClose }: NotDuplicatesDialogProps) {
  const list = useList(notDuplicatesLists[kind], pairView)
  const unmark = useUnmarkNotDuplicates(kind)
  const { nameOf, name } = kindOf[kind]
  return (
    <Modal opened onClose={onClose} title="Not duplicates" size={560} yOffset="12dvh">
      <ListBody
        list={list}
        name="pairs"
        skeleton={<LoadingState text="Loading pairs..." />}
        empty={
          <EmptyState
            title="No pairs marked yet"
            hint={`${name} you mark as not duplicates appear here.`}
          />
        }
      >
        <ul className={classes.pairs}>
          {list.rows.map((pair) => {
            const [one, other] = pair.records
            if (!one || !other) return null
            return (
              <li key={pair.id} className={classes.pair}>
                <span>
                  <Named kind={kind} record={one} /> is not <Named kind={kind} record={other} />
                </span>
                <Button
                  variant="default"
                  flex="none"
                  aria-label={`Undo: ${nameOf(one)} is not ${nameOf(other)}`}
                  // The mutation reports a failure and rolls back.
                  onClick={() => unmark(pair).catch(() => {})}
                >
                  Undo
                </Button>
              </li>
            )
          })}
        </ul>
      </ListBody>
    </Modal>
  )
}

/** A record by its name and one thing more, where it has one. */
function Named({ kind, record }: { kind: Kind; record: MergeRecord }) {
  const { nameOf, facts } = kindOf[kind]
  const fact = facts(record).find(({ text }) => text)
  return (
    <>
      <bdi>{nameOf(record)}</bdi>
      {fact && (
        <span className={classes.quiet}>
          {' '}
          (<bdi>{fact.text}</bdi>)
        </span>
      )}
    </>
  )
}
