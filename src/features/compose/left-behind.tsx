import { Alert, Button, Group, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { draftInWords, forgetDraft, type KeptDraft, leftBehind } from './kept-drafts.ts'
import { removeStored } from './queries.ts'

/** What was left behind, if there is something. */
export function useLeftBehind() {
  const [kept, setKept] = useState<KeptDraft | null>(null)
  useEffect(() => {
    let isOver = false
    leftBehind().then(
      (found) => {
        if (!isOver) setKept(found)
      },
      // Then nothing is offered.
      () => {},
    )
    return () => {
      isOver = true
    }
  }, [])
  /** It is written on now. */
  function take(): void {
    if (kept) void forgetDraft(kept.key)
    setKept(null)
  }
  /** Also deletes the files stored for the draft. The mail in the outbox that it was to replace stays. */
  function discard(): void {
    void removeStored(kept?.of?.storedFiles ?? []).catch(() => {})
    take()
  }
  return { kept, take, discard }
}

type LeftBehindProps = {
  kept: KeptDraft
  onContinue: (kept: KeptDraft) => void
  onDiscard: () => void
}

/** Offers a mail that was begun and not finished, such as when its tab died. */
export function LeftBehind({ kept, onContinue, onDiscard }: LeftBehindProps) {
  return (
    <Alert variant="default" role="status" p="sm">
      <Text size="sm">
        You didn’t finish an email<bdi>{draftInWords(kept.draft)}</bdi>
      </Text>
      <Group gap="sm" mt={8}>
        <Button variant="default" size="compact-sm" onClick={() => onContinue(kept)}>
          Resume
        </Button>
        <Button variant="subtle" color="gray" size="compact-sm" onClick={onDiscard}>
          Discard
        </Button>
      </Group>
    </Alert>
  )
}
