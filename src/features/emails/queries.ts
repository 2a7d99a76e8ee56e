import { useMutation, useQueryClient } from '@tanstack/react-query'
import { z } from 'zod/mini'
import type { ContactFilter } from '#domain/contact-filter.ts'
import type { Message } from '#domain/email-template.ts'
import { useUndoableDelete, writeMany } from '#features/history/index.ts'
import { maybe } from '#lib/answers.ts'
import type { Json } from '#lib/database.types.ts'
import type { Page } from '#lib/list-source.ts'
import { namedList, useNamedList } from '#lib/named-list.ts'
import { recordPages } from '#lib/record-pages.ts'
import { supabase } from '#lib/supabase.ts'
import { readAgain, useListWrite } from '#lib/use-list-write.ts'

/** What is kept of a contact to write to: not its notes, which may be long. */
const emailContact = z.object({
  id: z.string(),
  first_name: maybe,
  last_name: maybe,
  email: maybe,
  /** All of them, the first one among them. */
  emails: z.optional(z.array(z.object({ label: z.optional(maybe), value: z.string() }))),
  role_title: maybe,
  company_name: maybe,
})

export type EmailContact = z.output<typeof emailContact>

const recipients = recordPages('contact_page', emailContact)

/** A page of the contacts to write to, of as many as the database gives at once. */
export function readRecipients(
  filter: ContactFilter,
  after: Json | null,
  signal: AbortSignal,
  page_size = 1000,
): Promise<Page<EmailContact>> {
  const args = { filter, sort: 'name', descending: false, after, page_size }
  return recipients.read(args, signal)
}

/** Logs 'Email draft opened' on the timelines of these contacts; returns the batch for Undo. */
export function useLogEmails() {
  const queryClient = useQueryClient()
  const { mutateAsync } = useMutation({
    mutationFn: ({ ids, subject }: { ids: string[]; subject: string }) =>
      writeMany('log_emails', { filter: { ids }, subject }),
    meta: { failed: 'Failed to log the email' },
    onSettled: () => readAgain(queryClient),
  })
  return mutateAsync
}

export type EmailTemplate = Message & { id: string; name: string }

const templateList = namedList<EmailTemplate>({
  key: ['email-templates'],
  failed: 'Failed to fetch templates',
  async read(signal) {
    const { data, error } = await supabase()
      .from('email_templates')
      .select('id, name, subject, body')
      .abortSignal(signal)
      // The query client retries once; the library's own retries would take long.
      .retry(false)
    if (error) throw error
    return data
  },
})

export function useTemplates() {
  return useNamedList(templateList)
}

async function createTemplate(template: EmailTemplate): Promise<void> {
  const { error } = await supabase().from('email_templates').insert(template)
  if (!error) return
  // An earlier try was saved but its answer got lost, or another template has the name.
  if (error.code !== '23505' || !(await changeTemplate(template))) throw error
}

/** False when there is no such template. */
async function changeTemplate({
  id,
  ...changes
}: Partial<EmailTemplate> & { id: string }): Promise<boolean> {
  const { data, error } = await supabase()
    .from('email_templates')
    .update(changes)
    .eq('id', id)
    .select('id')
  if (error) throw error
  return data.length > 0
}

async function deleteTemplate(id: string): Promise<void> {
  const { data, error } = await supabase()
    .from('email_templates')
    .delete()
    .eq('id', id)
    .select('id')
  if (error) throw error
  if (data.length === 0) throw gone()
}

function gone(): Error {
  return new Error('This template no longer exists.')
}

export function useCreateTemplate() {
  return useListWrite(templateList, {
    write: createTemplate,
    optimistic: (row: EmailTemplate) => ({ kind: 'add', row }),
    saved: 'Template saved',
    failed: 'Failed to save template',
  })
}

export function useChangeTemplate(words: { saved: string; failed: string }) {
  return useListWrite(templateList, {
    async write(changes: Partial<EmailTemplate> & { id: string }) {
      if (!(await changeTemplate(changes))) throw gone()
    },
    optimistic: (to) => ({ kind: 'change', matches: ({ id }) => id === to.id, to }),
    ...words,
  })
}

export function useDeleteTemplate() {
  return useUndoableDelete(templateList, {
    remove: deleteTemplate,
    done: ({ name }) => `Template ${name} deleted`,
    failed: 'Failed to delete template',
  })
}
