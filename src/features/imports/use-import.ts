import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { habits } from '#domain/habits.ts'
import { type ImportKind, mapColumns } from '#domain/import-headers.ts'
import { broughtFields } from '#domain/import-own.ts'
import type { ImportPlan } from '#domain/import-plan.ts'
import { showUndoToast } from '#features/history/index.ts'
import { useTimeZone } from '#features/preferences/index.ts'
import { errorMessage, isUnreachable } from '#lib/errors.ts'
import { readFromTheStart } from '#lib/use-list-write.ts'
import { showError, showToast } from '#ui/toast.tsx'
import { warnBeforeUnload } from '#ui/unload-warning.ts'
import { takeBroughtFile } from './brought-file.ts'
import type { Opened } from './file-session.ts'
import { createImportStore, type FileRequest } from './import-store.ts'
import {
  checkedRows,
  checkImport,
  commitImport,
  type Duplicates,
  type Found,
  type ImportState,
  readState,
  sendRows,
  startImport,
  withRetries,
} from './queries.ts'
import { type Form, sizeProblem } from './read-table.ts'
import { summaryInWords } from './words.ts'

export type ChosenFile = Opened & { name: string; isPasted: boolean }

/** The step of the import that the screen shows. */
export type Stage =
  | { is: 'choosing' }
  | { is: 'reading'; name: string }
  /** While `request` runs in the worker, `file` already shows the user's choice. */
  | { is: 'mapping'; file: ChosenFile; request: FileRequest | null }
  | { is: 'sending'; file: ChosenFile; sent: number; isLost: boolean }
  | { is: 'checked'; file: ChosenFile; id: string; found: Found }
  | { is: 'writing'; file: ChosenFile; id: string; found: Found; isLost: boolean }
  | { is: 'done'; file: ChosenFile; id: string; state: ImportState }

/** The state and the actions of one import, from the choice of a file to the summary. */
export function useImport() {
  const [stage, setStage] = useState<Stage>({ is: 'choosing' })
  const [problem, setProblem] = useState<string | null>(null)
  // Kept here because the field unmounts while its text is read, and must come back with it.
  const [pasted, setPasted] = useState<string | null>(null)
  const [store] = useState(createImportStore)
  const queryClient = useQueryClient()
  const timeZone = useTimeZone()
  useEffect(() => store.enter(), [store])
  const isWriting = stage.is === 'writing'
  useEffect(() => (isWriting ? warnBeforeUnload() : undefined), [isWriting])

  function startOver(): void {
    store.discard()
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
    store.discard()
    const tooLarge = isPasted ? null : sizeProblem(source.size)
    if (tooLarge) return refuse(tooLarge)
    setProblem(null)
    setStage({ is: 'reading', name })
    const opened = await store.open(source, { timeZone, currency: habits().currency })
    if (!opened) return
    if ('problem' in opened) refuse(opened.problem)
    else setStage({ is: 'mapping', file: { ...opened, name, isPasted }, request: null })
  }

  const chooseBrought = useEffectEvent(() => {
    const file = takeBroughtFile()
    if (file) choose(file)
  })
  useEffect(() => chooseBrought(), [])

  /** Shows the user's choice at once, and the worker's result when it is there. */
  async function ask(requested: ChosenFile, request: FileRequest): Promise<void> {
    setProblem(null)
    setStage({ is: 'mapping', file: requested, request })
    const outcome = await store.ask(request)
    if (!outcome) return
    setProblem(outcome.problem)
    setStage({ is: 'mapping', file: { ...requested, ...outcome.held }, request: null })
  }

  /** Reads the file in another way, which is shown at once. */
  function reread(file: ChosenFile, form: Form): Promise<void> {
    const { is: _, ...read } = form
    return ask({ ...file, form }, { read })
  }

  function chooseHeader(file: ChosenFile, headerRow: number): Promise<void> {
    const interpretation = { ...file.interpretation, headerRow }
    return ask({ ...file, interpretation }, { take: { headerRow } })
  }

  function changePlan(file: ChosenFile, changes: Partial<ImportPlan>): Promise<void> {
    const { headerRow, isDayOrderDoubtful, keptLines } = file.interpretation
    const plan = { ...file.interpretation.plan, ...changes }
    const { kind, mapping, own, closing } = plan
    // The user has chosen the order only where the screen asked for it.
    const dayOrder = isDayOrderDoubtful ? plan.dayOrder : undefined
    const requested = { ...file, interpretation: { ...file.interpretation, plan } }
    const take = { headerRow, kind, mapping, own, dayOrder, closing, keptLines }
    return ask(requested, { take })
  }

  /** Takes a line that looks like no record for one, or leaves it out again. */
  function keepLine(file: ChosenFile, place: number, isKept: boolean): Promise<void> {
    const { footers, keptLines, plan } = file.interpretation
    const others = keptLines.filter((line) => line !== place)
    const interpretation = {
      ...file.interpretation,
      footers: footers.map((line) => (line.place === place ? { ...line, isKept } : line)),
      keptLines: isKept ? [...others, place] : others,
    }
    return changePlan({ ...file, interpretation }, plan)
  }

  /**
   * Changes what interprets no row anew: the names of new fields, and when deals were closed. A click on Check right after it
   * counts.
   */
  function settle(
    file: ChosenFile,
    changes: Pick<ImportPlan, 'own'> | Pick<ImportPlan, 'closing'>,
  ) {
    if (store.isWorking()) {
      changePlan(file, changes)
      return
    }
    const plan = { ...file.interpretation.plan, ...changes }
    const settled = { ...file, interpretation: { ...file.interpretation, plan } }
    setStage({ is: 'mapping', file: settled, request: null })
  }

  function chooseKind(file: ChosenFile, kind: ImportKind): Promise<void> {
    const { columns, headerRow, isDayOrderDoubtful, keptLines } = file.interpretation
    const names = columns.map(({ name }) => name)
    const plan = { ...file.interpretation.plan, kind, mapping: mapColumns(kind, names), own: [] }
    const dayOrder = isDayOrderDoubtful ? plan.dayOrder : undefined
    const requested = { ...file, interpretation: { ...file.interpretation, plan } }
    // Only the worker has the cells, by which columns are known that their headers do not tell.
    return ask(requested, { take: { headerRow, kind, dayOrder, keptLines } })
  }

  const sending = useMutation({
    async mutationFn(file: ChosenFile) {
      const { plan, rowCount: total } = file.interpretation
      const id = store.idFor(file)
      const show = (received: number, isLost: boolean) =>
        setStage({ is: 'sending', file, sent: received, isLost })
      const fields = broughtFields(plan.own, plan.mapping)
      const start = { id, kind: plan.kind, file_name: file.name, total, fields }
      show(0, false)
      let { received } = await withRetries(
        () => startImport(start),
        () => show(0, true),
      )
      while (received < total && !store.isLeft()) {
        const before = received
        show(before, false)
        const part = await store.reader().part(plan, before)
        // An empty part would never finish the loop.
        if (part.length === 0) throw new Error(fewerRows)
        try {
          received = await sendRows(id, part)
        } catch (error) {
          if (!isUnreachable(error)) throw error
          // Ask the database whether the rows arrived.
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
      // A second check may classify the same rows differently.
      queryClient.removeQueries({ queryKey: checkedRows.key })
      setProblem(null)
      setStage({ is: 'checked', file, id, found })
    },
    onError(error, file) {
      setProblem(`The rows could not be checked: ${errorMessage(error)}`)
      setStage({ is: 'mapping', file, request: null })
    },
  })

  type Checked = Extract<Stage, { is: 'checked' }>
  const writing = useMutation({
    mutationFn({ checked, duplicates }: { checked: Checked; duplicates: Duplicates }) {
      const show = (isLost: boolean) => setStage({ ...checked, is: 'writing', isLost })
      show(false)
      store.beginWriting()
      return withRetries(
        () => commitImport(checked.id, duplicates),
        () => show(true),
      )
    },
    onSuccess(state, { checked: { file, id } }) {
      store.endWriting(true)
      setProblem(null)
      setStage({ is: 'done', file, id, state })
      const onUndone = () => readFromTheStart(queryClient)
      onUndone()
      if (store.isLeft()) reportElsewhere(file, state, onUndone)
    },
    onError(error, { checked }) {
      store.endWriting(false)
      setProblem(notImported(error))
      setStage(checked)
      if (store.isLeft()) showError(notImportedElsewhere(checked.file, error))
    },
  })

  return {
    stage,
    problem,
    pasted,
    setPasted,
    reader: store.reader,
    choose,
    reread,
    chooseHeader,
    chooseKind,
    changePlan,
    settle,
    keepLine,
    startOver,
    check(file: ChosenFile) {
      // While the worker runs, the screen is ahead of what it would send.
      if (!store.isWorking()) sending.mutate(file)
    },
    backToMapping: (file: ChosenFile) => setStage({ is: 'mapping', file, request: null }),
    write: (checked: Checked, duplicates: Duplicates) => writing.mutate({ checked, duplicates }),
  }
}

export type Import = ReturnType<typeof useImport>

const fewerRows = 'The file has fewer rows than were counted. Nothing was saved. Choose it again.'

/** Reports the end of an import to a user who has left the screen. */
function reportElsewhere(file: ChosenFile, { summary, batch }: ImportState, onUndone: () => void) {
  const { kind } = file.interpretation.plan
  const words = summary ? summaryInWords(kind, summary).join(', ') : 'done'
  const message = `Import of ${file.name}: ${words}`
  if (batch) showUndoToast({ message, batch: async () => batch, onUndone })
  else showToast({ message })
}

/** After a lost answer the rows may have been written. */
function notImported(error: unknown): string {
  const why = errorMessage(error)
  return isUnreachable(error)
    ? `The import may not have finished: ${why} If you try again, nothing is imported twice.`
    : `Nothing was imported: ${why}`
}

function notImportedElsewhere({ name }: ChosenFile, error: unknown): string {
  return isUnreachable(error)
    ? `${name} may not have been imported: the server can’t be reached. Check the Import screen once you’re back online.`
    : `${name} was not imported: ${errorMessage(error)}`
}
