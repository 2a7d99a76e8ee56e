import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type ImportKind, mapColumns } from '#domain/import-columns.ts'
import type { ImportPlan } from '#domain/import-rows.ts'
import { showUndoToast } from '#features/history/index.ts'
import { errorMessage, isUnreachable } from '#lib/errors.ts'
import { readFromTheStart } from '#lib/use-list-write.ts'
import { showError, showToast } from '#ui/toast.tsx'
import { warnBeforeUnload } from '#ui/unload-warning.ts'
import type { Opened } from './file-session.ts'
import { createImportDesk, type Wish } from './import-desk.ts'
import {
  checkedRows,
  checkImport,
  commitImport,
  type Duplicates,
  type Found,
  type ImportState,
  withRetries,
  readState,
  sendRows,
  startImport,
} from './queries.ts'
import { type ReadOptions, sizeProblem } from './read-table.ts'
import { summaryInWords } from './words.ts'

export type ChosenFile = Opened & { name: string; isPasted: boolean }

/** How far the import has come. */
export type Stage =
  | { is: 'choosing' }
  | { is: 'reading'; name: string }
  /** While the thread works, the file is shown as it was wished to be. */
  | { is: 'mapping'; file: ChosenFile; wish: Wish | null }
  | { is: 'sending'; file: ChosenFile; sent: number; isLost: boolean }
  | { is: 'checked'; file: ChosenFile; id: string; found: Found }
  | { is: 'writing'; file: ChosenFile; id: string; found: Found; isLost: boolean }
  | { is: 'done'; file: ChosenFile; id: string; state: ImportState }

/** An import from the choice of a file to its summary. */
export function useImport() {
  const [stage, setStage] = useState<Stage>({ is: 'choosing' })
  const [problem, setProblem] = useState<string | null>(null)
  // Held here, since the field is gone while its text is read and must come back with it.
  const [pasted, setPasted] = useState<string | null>(null)
  const [desk] = useState(createImportDesk)
  const queryClient = useQueryClient()
  useEffect(() => desk.enter(), [desk])
  const isWriting = stage.is === 'writing'
  useEffect(() => (isWriting ? warnBeforeUnload() : undefined), [isWriting])

  function startOver(): void {
    desk.putAway()
    setPasted(null)
    setProblem(null)
    setStage({ is: 'choosing' })
  }

  function refuse(words: string): void {
    setProblem(words)
    setStage({ is: 'choosing' })
  }

  async function choose(source: File | string): Promise<void> {
    const isPasted = typeof source === 'string'
    const name = isPasted ? 'Pasted text' : source.name
    desk.putAway()
    const tooLarge = isPasted ? null : sizeProblem(source.size)
    if (tooLarge) return refuse(tooLarge)
    setProblem(null)
    setStage({ is: 'reading', name })
    const opened = await desk.open(source)
    if (!opened) return
    if ('problem' in opened) refuse(opened.problem)
    else setStage({ is: 'mapping', file: { ...opened, name, isPasted }, wish: null })
  }

  /** Shows at once what the user wishes, and what came of it as soon as the thread has done it. */
  async function ask(wished: ChosenFile, wish: Wish): Promise<void> {
    setProblem(null)
    setStage({ is: 'mapping', file: wished, wish })
    const outcome = await desk.ask(wish)
    if (!outcome) return
    setProblem(outcome.problem)
    setStage({ is: 'mapping', file: { ...wished, ...outcome.held }, wish: null })
  }

  function reread(file: ChosenFile, read: Required<ReadOptions>): Promise<void> {
    return ask({ ...file, ...read }, { read })
  }

  function chooseHeader(file: ChosenFile, headerRow: number): Promise<void> {
    const understood = { ...file.understood, headerRow }
    return ask({ ...file, understood }, { take: { headerRow } })
  }

  function changePlan(file: ChosenFile, changes: Partial<ImportPlan>): Promise<void> {
    const { headerRow, isDayOrderDoubtful } = file.understood
    const plan = { ...file.understood.plan, ...changes }
    const { kind, mapping } = plan
    // Only where it could be seen is it the user's.
    const dayOrder = isDayOrderDoubtful ? plan.dayOrder : undefined
    const wished = { ...file, understood: { ...file.understood, plan } }
    return ask(wished, { take: { headerRow, kind, mapping, dayOrder } })
  }

  function chooseKind(file: ChosenFile, kind: ImportKind): Promise<void> {
    const names = file.understood.columns.map(({ name }) => name)
    return changePlan(file, { kind, mapping: mapColumns(kind, names) })
  }

  const sending = useMutation({
    async mutationFn(file: ChosenFile) {
      const { plan, rowCount: total } = file.understood
      const id = desk.idFor(file)
      const show = (received: number, isLost: boolean) =>
        setStage({ is: 'sending', file, sent: received, isLost })
      const start = { id, kind: plan.kind, file_name: file.name, total }
      show(0, false)
      let { received } = await withRetries(
        () => startImport(start),
        () => show(0, true),
      )
      while (received < total && !desk.isLeft()) {
        const before = received
        show(before, false)
        const part = await desk.reader().part(plan, before)
        // Sent all the same, it would bring the count no further, and there would be no end.
        if (part.length === 0) throw new Error(fewerRows)
        try {
          received = await sendRows(id, part)
        } catch (error) {
          if (!isUnreachable(error)) throw error
          // Whether they arrived only the database can tell.
          show(before, true)
          const state = await withRetries(
            () => readState(id),
            () => show(before, true),
          )
          received = state.received
        }
      }
      show(total, false)
      return {
        id,
        found: await withRetries(
          () => checkImport(id),
          () => show(total, true),
        ),
      }
    },
    onSuccess: ({ id, found }, file) => {
      // The same rows may be found otherwise than last time.
      queryClient.removeQueries({ queryKey: checkedRows.key })
      setProblem(null)
      setStage({ is: 'checked', file, id, found })
    },
    onError(error, file) {
      setProblem(`The rows could not be checked: ${errorMessage(error)}`)
      setStage({ is: 'mapping', file, wish: null })
    },
  })

  type Checked = Extract<Stage, { is: 'checked' }>
  const writing = useMutation({
    mutationFn({ checked, duplicates }: { checked: Checked; duplicates: Duplicates }) {
      const show = (isLost: boolean) => setStage({ ...checked, is: 'writing', isLost })
      show(false)
      desk.beginWriting()
      return withRetries(
        () => commitImport(checked.id, duplicates),
        () => show(true),
      )
    },
    onSuccess(state, { checked: { file, id } }) {
      desk.endWriting(true)
      setProblem(null)
      setStage({ is: 'done', file, id, state })
      const onUndone = () => readFromTheStart(queryClient)
      onUndone()
      if (desk.isLeft()) tellElsewhere(file, state, onUndone)
    },
    onError(error, { checked }) {
      desk.endWriting(false)
      setProblem(notImported(error))
      setStage(checked)
      if (desk.isLeft()) showError(notImportedElsewhere(checked.file, error))
    },
  })

  return {
    stage,
    problem,
    pasted,
    setPasted,
    reader: desk.reader,
    choose,
    reread,
    chooseHeader,
    chooseKind,
    changePlan,
    startOver,
    check(file: ChosenFile) {
      // What is shown is not yet what the thread would send.
      if (!desk.isWorking()) sending.mutate(file)
    },
    backToMapping: (file: ChosenFile) => setStage({ is: 'mapping', file, wish: null }),
    write: (checked: Checked, duplicates: Duplicates) => writing.mutate({ checked, duplicates }),
  }
}

export type Import = ReturnType<typeof useImport>

const fewerRows = 'The file has fewer rows than were counted. Nothing was saved. Choose it again.'

/** The end of an import, for who has gone on to another screen. */
function tellElsewhere(file: ChosenFile, { summary, batch }: ImportState, onUndone: () => void) {
  const { kind } = file.understood.plan
  const words = summary ? summaryInWords(kind, summary).join(', ') : 'done'
  const message = `Import of ${file.name}: ${words}`
  if (batch) showUndoToast({ message, batch: async () => batch, onUndone })
  else showToast({ message })
}

/** The rows may have been written, and only the answer be lost. */
function notImported(error: unknown): string {
  const why = errorMessage(error)
  return isUnreachable(error)
    ? `It is not known whether the rows were imported: ${why} Nothing is imported twice.`
    : `Nothing was imported: ${why}`
}

function notImportedElsewhere({ name }: ChosenFile, error: unknown): string {
  return isUnreachable(error)
    ? `It is not known whether ${name} was imported: the server cannot be reached. Once the connection is back, the Import screen shows it if it was.`
    : `Nothing of ${name} was imported: ${errorMessage(error)}`
}
