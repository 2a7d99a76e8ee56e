import { useLeaveWaiting } from '#lib/leave-waiting.ts'
import { openedPart } from '#ui/lazy-part.tsx'

/** Also asked without a network: preloaded. */
export const LeaveQuestion = openedPart(
  async () => (await import('./leave-question.tsx')).LeaveQuestion,
)

/** Mounted once in the workspace; asks what becomes of the writes that wait before the account leaves the device. */
export function LeaveQuestionHost() {
  const asked = useLeaveWaiting()
  if (!asked) return null
  return (
    <LeaveQuestion
      leaving={asked.leaving}
      onLeave={() => asked.answer(true)}
      onClose={() => asked.answer(false)}
    />
  )
}
