import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { ImportPlan } from '#domain/import-rows.ts'
import { errorMessage, isUnreachable } from '#lib/errors.ts'
import { readFromTheStart } from '#lib/use-list-write.ts'
import type { Opened } from './file-session.ts'
import { createImportDesk } from './import-desk.ts'
import {
  checkedRows,
  checkImport,
  commitImport,
  type Duplicates,
  type Found,
  type ImportState,
  patiently,
  readState,
  sendRows,
  startImport,
} from './queries.ts'
import { type ReadOptions, sizeProblem } from './read-table.ts'
import type { Wanted } from './understand.ts'

export type ChosenFile = Opened & { name: string; isPasted: boolean }

/** How far the import has come. */
export type Stage =
  | { is: 'choosing' }
  | { is: 'reading'; name: string }
  | { is: 'mapping'; file: ChosenFile }
  | { is: 'sending'; file: ChosenFile; sent: number; isLost: boolean }
  | { is: 'checked'; file: ChosenFile; id: string; found: Found }
  | { is: 'writing'; file: ChosenFile; id: string; found: Found; isLost: boolean }
  | { is: 'done'; file: ChosenFile; id: string; state: ImportState }

/** An import from the choice of a file to its summary. */
export function useImport() {
  const [stage, setStage] = useState<Stage>({ is: 'choosing' })
  const [problem, setProblem] = useState<string | null>(null)
  const [desk] = useState(createImportDesk)
  const queryClient = useQueryClient()
  useEffect(() => desk.enter(), [desk])

  function startOver(): void {
    desk.forget()
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
    desk.forget()
    const tooLarge = isPasted ? null : sizeProblem(source.size)
    if (tooLarge) return refuse(tooLarge)
    setProblem(null)
    setStage({ is: 'reading', name })
    try {
      const opened = await desk.reader().open(source)
      if ('problem' in opened) refuse(opened.problem)
      else setStage({ is: 'mapping', file: { ...opened, name, isPasted } })
    } catch (error) {
      refuse(errorMessage(error))
    }
  }

  async function reread(file: ChosenFile, options: ReadOptions): Promise<void> {
    const opened = await desk.reader().reread(options)
    if ('problem' in opened) return setProblem(opened.problem)
    setProblem(null)
    setStage({ is: 'mapping', file: { ...file, ...opened } })
  }

  async function understand(file: ChosenFile, wanted: Wanted): Promise<void> {
    const understood = await desk.reader().understand(wanted)
    setProblem(null)
    setStage({ is: 'mapping', file: { ...file, understood } })
  }

  function changePlan(file: ChosenFile, plan: ImportPlan): void {
    setProblem(null)
    setStage({ is: 'mapping', file: { ...file, understood: { ...file.understood, plan } } })
  }

  const sending = useMutation({
    async mutationFn(file: ChosenFile) {
      const { plan, rowCount: total } = file.understood
      const id = desk.idFor(plan)
      const show = (received: number, isLost: boolean) =>
        setStage({ is: 'sending', file, sent: received, isLost })
      const start = { id, kind: plan.kind, file_name: file.name, total }
      show(0, false)
      let { received } = await patiently(
        () => startImport(start),
        () => show(0, true),
      )
      while (received < total && !desk.isLeft()) {
        const before = received
        show(before, false)
        const part = await desk.reader().part(plan, before)
        try {
          received = await sendRows(id, part)
        } catch (error) {
          if (!isUnreachable(error)) throw error
          // Whether they arrived only the database can tell.
          show(before, true)
          const state = await patiently(
            () => readState(id),
            () => show(before, true),
          )
          received = state.received
        }
      }
      show(total, false)
      return {
        id,
        found: await patiently(
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
      setStage({ is: 'mapping', file })
    },
  })

  type Checked = Extract<Stage, { is: 'checked' }>
  const writing = useMutation({
    mutationFn({ checked, duplicates }: { checked: Checked; duplicates: Duplicates }) {
      const show = (isLost: boolean) => setStage({ ...checked, is: 'writing', isLost })
      show(false)
      return patiently(
        () => commitImport(checked.id, duplicates),
        () => show(true),
      )
    },
    onSuccess(state, { checked: { file, id } }) {
      desk.settle()
      setProblem(null)
      setStage({ is: 'done', file, id, state })
      readFromTheStart(queryClient)
    },
    onError(error, { checked }) {
      setProblem(`Nothing was imported: ${errorMessage(error)}`)
      setStage(checked)
    },
  })

  return {
    stage,
    problem,
    reader: desk.reader,
    choose,
    reread,
    understand,
    changePlan,
    startOver,
    check: (file: ChosenFile) => sending.mutate(file),
    backToMapping: (file: ChosenFile) => setStage({ is: 'mapping', file }),
    write: (checked: Checked, duplicates: Duplicates) => writing.mutate({ checked, duplicates }),
  }
}

export type Import = ReturnType<typeof useImport>
