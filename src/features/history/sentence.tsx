import { Link } from 'react-router'
import type { Piece } from '#domain/batch.ts'

/** What was done, in one sentence; records that are still there lead to their pages. */
export function Sentence({ pieces }: { pieces: Piece[] }) {
  return pieces.map(({ text, record }) => {
    // Isolates names in right-to-left scripts.
    const words = <bdi key={text}>{text}</bdi>
    return record ? (
      <Link key={text} to={`/app/${record.table}/${record.id}`}>
        {words}
      </Link>
    ) : (
      words
    )
  })
}
