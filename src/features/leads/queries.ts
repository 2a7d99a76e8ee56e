import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { z } from 'zod/mini'
import type { AskedField } from '#domain/lead-form.ts'
import { showUndoToast, useUndoableDelete } from '#features/history/index.ts'
import { checked, maybe } from '#lib/answers.ts'
import { namedList, useNamedList } from '#lib/named-list.ts'
import { callForJson, callFunction, supabase } from '#lib/supabase.ts'
import { readFromTheStart, useListWrite } from '#lib/use-list-write.ts'
import { waitingCountsKey } from '#lib/waiting-counts.ts'

const leadForm = z.object({
  id: z.string(),
  slug: maybe,
  name: z.string(),
  title: maybe,
  intro: maybe,
  fields: z.array(z.object({ name: z.string(), label: z.string(), is_required: z.boolean() })),
  thanks: maybe,
  redirect_url: maybe,
  collection_id: maybe,
  tag: maybe,
  pipeline_id: maybe,
  task_title: maybe,
  task_days: z.nullable(z.number()),
})

export type LeadForm = z.output<typeof leadForm>

const columns = Object.keys(leadForm.shape).join(', ')

const formList = namedList<LeadForm>({
  key: ['forms'],
  failed: 'Failed to fetch forms',
  async read(signal) {
    const { data, error } = await supabase()
      .from('forms')
      .select(columns)
      .abortSignal(signal)
      // The query client retries once; the library's own retries would take long.
      .retry(false)
    if (error) throw error
    return checked(z.array(leadForm), data)
  },
})

export function useForms() {
  return useNamedList(formList)
}

const counts = z.record(z.string(), z.object({ accepted: z.number(), waiting: z.number() }))

/** How many submissions each form has had, and how many wait in quarantine. */
export function useFormCounts() {
  const { data } = useQuery({
    queryKey: ['form-submissions', 'counts'],
    queryFn: ({ signal }) => callForJson('form_counts', {}, counts, signal),
    meta: { failed: 'Failed to fetch submissions' },
  })
  return data
}

/** What the dialog of a form saves. */
type FormChanges = Omit<LeadForm, 'id' | 'slug' | 'fields'> & { fields: AskedField[] }

async function saveForm({ id, slug: _, ...changes }: LeadForm): Promise<void> {
  const { error } = await supabase()
    .from('forms')
    .insert({ id, ...changes })
  if (!error) return
  // An earlier try was saved, and its answer got lost.
  if (error.code !== '23505') throw error
  await changeForm({ id, ...changes })
}

async function changeForm({ id, ...changes }: FormChanges & { id: string }): Promise<void> {
  const { data, error } = await supabase().from('forms').update(changes).eq('id', id).select('id')
  if (error) throw error
  if (data.length === 0) throw new Error('This form no longer exists.')
}

export function useCreateForm() {
  return useListWrite(formList, {
    write: saveForm,
    optimistic: (row: LeadForm) => ({ kind: 'add', row }),
    saved: 'Form created',
    failed: 'Failed to create form',
  })
}

export function useChangeForm() {
  return useListWrite(formList, {
    write: changeForm,
    optimistic: (to) => ({ kind: 'change', matches: ({ id }) => id === to.id, to }),
    saved: 'Form saved',
    failed: 'Failed to save form',
  })
}

export function useDeleteForm() {
  return useUndoableDelete(formList, {
    async remove(id) {
      const { data, error } = await supabase().from('forms').delete().eq('id', id).select('id')
      if (error) throw error
      if (data.length === 0) throw new Error('This form no longer exists.')
    },
    done: ({ name }) => `Form ${name} deleted`,
    failed: 'Failed to delete form',
  })
}

const waiting = z.object({
  id: z.string(),
  form_id: z.string(),
  doubts: z.array(z.string()),
  who: maybe,
  lead: z.object({
    lines: z.optional(z.array(z.object({ label: z.string(), text: z.string() }))),
  }),
  created_at: z.string(),
})

export type WaitingSubmission = z.output<typeof waiting>

/** The most that are shown at once. */
export const mostWaiting = 50

/** What waits in quarantine, newest first. */
export function useWaiting() {
  return useQuery({
    queryKey: ['form-submissions', 'waiting'],
    async queryFn({ signal }) {
      const { data, error } = await supabase()
        .from('form_submissions')
        .select('id, form_id, doubts, who, lead, created_at')
        .eq('status', 'waiting')
        .order('created_at', { ascending: false })
        .limit(mostWaiting)
        .abortSignal(signal)
        .retry(false)
      if (error) throw error
      return checked(z.array(waiting), data)
    },
    meta: { failed: 'Failed to fetch submissions' },
  })
}

const accepted = z.object({ batch: z.string(), contact_id: maybe })

export function useAcceptSubmission() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => callForJson('accept_submission', { id }, accepted),
    onSuccess({ batch }) {
      showUndoToast({
        message: 'Accepted',
        batch: async () => batch,
        onUndone: () => readFromTheStart(queryClient),
      })
    },
    onSettled: () => readFromTheStart(queryClient),
    meta: { failed: 'Failed to accept', noUndo: 'Accepted leads' },
  })
}

const deleted = z.object({ count: z.number(), batch: maybe })

export function useDeleteSubmissions() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (ids: string[]) => callForJson('delete_submissions', { ids }, deleted),
    onSuccess({ batch, count }) {
      if (!batch) return
      showUndoToast({
        message: count === 1 ? 'Submission deleted' : `${count} submissions deleted`,
        batch: async () => batch,
        onUndone: () => readFromTheStart(queryClient),
      })
    },
    onSettled: () => readFromTheStart(queryClient),
    meta: { failed: 'Failed to delete' },
  })
}

const newLeads = z.object({
  leads: z.array(
    z.object({
      id: z.string(),
      who: maybe,
      at: z.string(),
      form: z.string(),
      contact_id: maybe,
    }),
  ),
  waiting: z.number(),
})

const leadsKey = ['new-leads']

/** Submissions that the user has not seen yet. */
export function useNewLeads() {
  return useQuery({
    queryKey: leadsKey,
    queryFn: ({ signal }) => callForJson('new_leads', {}, newLeads, signal),
    staleTime: 60_000,
    meta: { failed: 'Failed to fetch new leads' },
  })
}

export function useSeeLeads() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (ids: string[]) => callFunction('see_leads', { ids }),
    onSettled: () => {
      queryClient.invalidateQueries({ queryKey: waitingCountsKey })
      return queryClient.invalidateQueries({ queryKey: leadsKey })
    },
    meta: { failed: 'Failed to save' },
  })
}
