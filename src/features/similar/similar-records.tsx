import { useDebouncedValue } from '@mantine/hooks'
import { IconCopy } from '@tabler/icons-react'
import { type SimilarKind, type Typed, useSimilar } from './queries.ts'
import classes from './similar.module.css'

/** A word typed in one go is one request. */
const pause = 400

const reasons = {
  email: 'same email',
  link: 'same link',
  phone: 'same phone number',
  website: 'same website',
  name: 'same name',
}

type SimilarRecordsProps = { kind: SimilarKind; typed: Typed }

/**
 * Says while a new record is typed which ones seem to be the same. It blocks nothing; a record opens in a new tab, so
 * that the form keeps its text.
 */
export function SimilarRecords({ kind, typed }: SimilarRecordsProps) {
  // As text, because the object is another one on each render.
  const [settled] = useDebouncedValue(JSON.stringify(typed), pause)
  const { data = [] } = useSimilar(kind, JSON.parse(settled))
  return (
    <div aria-live="polite" className={data.length > 0 ? classes.notice : undefined}>
      {data.length > 0 && (
        <>
          <IconCopy size={16} stroke={1.5} aria-hidden className={classes.icon} />
          <div className={classes.words}>
            <div>{data.length > 1 ? 'These may already exist' : 'This may already exist'}</div>
            <ul className={classes.list}>
              {data.map(({ id, title, about, reason }) => (
                <li key={id} title={[title, about, reasons[reason]].filter(Boolean).join(' · ')}>
                  <a href={`/app/${kind}/${id}`} target="_blank" rel="noopener">
                    <bdi>{title || 'Unnamed'}</bdi>
                  </a>
                  <span className={classes.about}>
                    {about && (
                      <>
                        {' · '}
                        <bdi>{about}</bdi>
                      </>
                    )}
                    {` · ${reasons[reason]}`}
                  </span>
                </li>
              ))}
            </ul>
          </div>
        </>
      )}
    </div>
  )
}
