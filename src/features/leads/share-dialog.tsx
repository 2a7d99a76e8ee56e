import { Anchor, Button, Group, Modal, Stack, Text } from '@mantine/core'
import { fieldsOfForm } from '#domain/lead-form.ts'
import { pastedForm } from '#domain/pasted-form.ts'
import { CodeBlock } from '#ui/code-block.tsx'
import { CopyField } from '#ui/copy-field.tsx'
import { useContactFields } from './contact-fields.ts'
import type { LeadForm } from './queries.ts'

type ShareDialogProps = { form: LeadForm; onClose: () => void }

/** The three ways to use a form: our page, lines for any site, a request of a program. */
export function ShareDialog({ form, onClose }: ShareDialogProps) {
  const own = useContactFields()
  const address = `${window.location.origin}/f/${form.slug}`
  const fields = fieldsOfForm({ fields: form.fields, own })
  const example = Object.fromEntries(
    fields.slice(0, 3).map(({ name, field }) => [name, examples[field.kind] ?? 'Ada']),
  )
  return (
    <Modal opened onClose={onClose} title={`Share “${form.name}”`} size={640} yOffset="8dvh">
      <Stack gap="lg" pb="md">
        <Stack gap={6}>
          <CopyField
            label="Page"
            description="Share this address, or link to it."
            value={address}
          />
          <Anchor href={address} target="_blank" rel="noreferrer" size="sm">
            Open page
          </Anchor>
        </Stack>
        <CodeBlock
          label="On your own site"
          text="Paste these lines into a page. Style them as you like; keep the names."
          code={pastedForm(fields, address)}
        />
        <CodeBlock
          label="From a program"
          text="Send JSON or a form. The answer is JSON."
          code={`curl ${address} \\\n  --json '${JSON.stringify(example)}'`}
        />
        <Text size="sm" c="dimmed">
          Anyone can send to this form. What looks like spam waits in quarantine.
        </Text>
        <Group justify="flex-end">
          <Button onClick={onClose}>Done</Button>
        </Group>
      </Stack>
    </Modal>
  )
}

const examples: Record<string, string> = {
  email: 'ada@example.com',
  phone: '+44 20 7946 0000',
  'long text': 'Please call me back.',
}
