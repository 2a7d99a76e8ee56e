import { Skeleton } from '@mantine/core'
import { Link } from 'react-router'
import { batchWords } from '#domain/batch-words.ts'
import { fromNow, shownMoment } from '#domain/dates.ts'
import { useTimeZone } from '#features/preferences/index.ts'
import { useList } from '#lib/use-list.ts'
import { useNow } from '#lib/use-now.ts'
import { ListBody } from '#ui/list-body.tsx'
import { NearEnd } from '#ui/near-end.tsx'
import { RecordSection } from '#ui/record-section.tsx'
import { batchIcon } from './batch-icon.ts'
import { historyView } from './history-view.ts'
import { type HistoryEntry, historyList } from './queries.ts'
import classes from './recent-activity.module.css'
import { Sentence } from './sentence.tsx'
import { UndoEntry } from './undo-part.ts'

const everything = historyView({}, 'UTC')

/** What was done in the account, newest first; more comes as one scrolls. */
export function RecentActivity() {
  const list = useList(historyList, everything)
  return (
    <RecordSection
      title="Recent Activity"
      action={
        <Link to="/app/settings/history" className={classes.all}>
          History and undo
        </Link>
      }
    >
      <ListBody
        list={list}
        name="activity"
        nextName="earlier activity"
        skeleton={<ActivitySkeleton />}
        empty={<p className={classes.none}>No activity yet</p>}
      >
        <ol className={classes.entries}>
          {list.rows.map((entry) => (
            <li key={entry.id} className={classes.entry}>
              <Entry entry={entry} />
            </li>
          ))}
        </ol>
        <NearEnd onNear={list.more.load} />
      </ListBody>
    </RecordSection>
  )
}

function Entry({ entry }: { entry: HistoryEntry }) {
  const timeZone = useTimeZone()
  const now = useNow()
  const { sentence, details } = batchWords(entry, { timeZone })
  const EntryIcon = batchIcon(entry)
  const time = (
    <time className={classes.time} dateTime={entry.at} title={shownMoment(entry.at, timeZone)}>
      {fromNow(entry.at, now, timeZone)}
    </time>
  )
  return (
    <>
      <EntryIcon className={classes.icon} size={16} stroke={1.5} aria-hidden />
      <div className={classes.words}>
        <div className={classes.sentence}>
          <Sentence pieces={sentence} />
        </div>
        {details[0] && <div className={classes.detail}>{details[0]}</div>}
      </div>
      {entry.by && entry.undone === 'no' && entry.undoes === null ? (
        <span className={classes.end}>
          <UndoEntry batch={entry.batch} what={sentence.map(({ text }) => text).join('')} />
          {time}
        </span>
      ) : (
        time
      )}
    </>
  )
}

const skeletons = ['one', 'two', 'three', 'four', 'five', 'six']

function ActivitySkeleton() {
  return (
    <div role="status" aria-label="Loading activity...">
      {skeletons.map((key) => (
        <Skeleton key={key} height={20} my={12} aria-hidden />
      ))}
    </div>
  )
}
