import { useState } from 'react'
import { useLogRequest } from './log-request.ts'
import classes from './note-form.module.css'
import { NoteForm } from './note-form.tsx'
import type { Subject, TimelineSource } from './queries.ts'

type ComposerProps = { source: TimelineSource; subject: Subject }

/** The form for a new note; one line until it is used. */
export function Composer({ source, subject }: ComposerProps) {
  // Discarding mounts a new form; saving keeps the form with what was typed since.
  const [round, setRound] = useState(0)
  const [isFolded, setIsFolded] = useState(true)
  const { request, done } = useLogRequest(subject.id)
  function fold(): void {
    setIsFolded(true)
  }
  function begin(): void {
    setRound(round + 1)
    fold()
  }
  return (
    <div className={classes.composer}>
      <NoteForm
        key={round}
        source={source}
        subject={subject}
        isFolded={isFolded}
        request={request}
        onAnswered={done}
        onUnfold={() => setIsFolded(false)}
        onDone={fold}
        onCancel={begin}
      />
    </div>
  )
}
