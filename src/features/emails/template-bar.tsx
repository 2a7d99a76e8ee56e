import { ActionIcon, Anchor, Menu, Select } from '@mantine/core'
import { IconDeviceFloppy, IconDots, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { NameDialog } from '#features/naming/index.ts'
import { newId } from '#lib/new-id.ts'
import classes from './emails.module.css'
import {
  type EmailTemplate,
  useChangeTemplate,
  useCreateTemplate,
  useDeleteTemplate,
} from './queries.ts'
import type { MessageState } from './use-message.ts'

const icon = { size: 16, stroke: 1.5, 'aria-hidden': true }

// Inside the dialog, but fixed, because the scrolling dialog would clip it.
const inDialog = { withinPortal: false, floatingStrategy: 'fixed' } as const

type TemplateBarProps = {
  message: MessageState
  /** Called when a dialog opens over this one, and when it closes. */
  onCover: (isCovered: boolean) => void
}

/** Chooses a template, and saves the message as one. */
export function TemplateBar({ message, onCover }: TemplateBarProps) {
  const { templates, template, text, isChanged } = message
  const [form, setForm] = useState<'save' | 'rename' | null>(null)
  const update = useChangeTemplate({
    saved: 'Template updated',
    failed: 'Failed to update template',
  })
  const remove = useDeleteTemplate()
  // The mutation reports a failure and rolls back.
  const quietly = (write: Promise<unknown>) => void write.catch(() => {})

  function show(next: typeof form): void {
    setForm(next)
    onCover(next !== null)
  }
  /** Runs the action only if the message is valid. */
  const checked = (action: () => void) => () => {
    if (!message.check()) action()
  }

  return (
    <>
      <Select
        // The focus returns here after the question about replacing text.
        openOnFocus={false}
        label="Template"
        placeholder={templates.rows.length > 0 ? 'Choose a template' : 'No templates yet'}
        data={templates.rows.map(({ id, name }) => ({ value: id, label: name }))}
        value={template?.id ?? null}
        onChange={(id) => quietly(message.choose(templates.rows.find((row) => row.id === id)))}
        searchable
        selectFirstOptionOnChange
        clearable
        allowDeselect={false}
        clearButtonProps={{ 'aria-label': 'Clear template' }}
        autoComplete="off"
        nothingFoundMessage="Nothing found"
        error={
          templates.problem && (
            <>
              The templates could not be loaded. {templates.problem}{' '}
              <Anchor component="button" type="button" inherit onClick={() => templates.refetch()}>
                Try again
              </Anchor>
            </>
          )
        }
        comboboxProps={{ shadow: 'md', ...inDialog }}
        inputContainer={(input) => (
          <div className={classes.template}>
            {input}
            <TemplateMenu
              template={template}
              isChanged={isChanged}
              onSave={checked(() => show('save'))}
              onUpdate={checked(() => template && quietly(update({ id: template.id, ...text })))}
              onRename={() => show('rename')}
              onDelete={() => template && quietly(remove(template))}
            />
          </div>
        )}
      />
      {form && (
        <TemplateDialog message={message} isRename={form === 'rename'} onClose={() => show(null)} />
      )}
    </>
  )
}

type TemplateMenuProps = {
  template: EmailTemplate | undefined
  isChanged: boolean
  onSave: () => void
  onUpdate: () => void
  onRename: () => void
  onDelete: () => void
}

function TemplateMenu({ template, isChanged, ...on }: TemplateMenuProps) {
  return (
    <Menu
      position="bottom-end"
      width={264}
      shadow="md"
      withInitialFocusPlaceholder={false}
      classNames={{ itemLabel: classes.label ?? '' }}
      {...inDialog}
    >
      <Menu.Target>
        <ActionIcon variant="default" aria-label="Template actions">
          <IconDots {...icon} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconPlus {...icon} />} onClick={on.onSave}>
          Save as new template
        </Menu.Item>
        {template && isChanged && (
          <Menu.Item leftSection={<IconDeviceFloppy {...icon} />} onClick={on.onUpdate}>
            <bdi className={classes.name}>Update “{template.name}”</bdi>
          </Menu.Item>
        )}
        {template && (
          <>
            <Menu.Item leftSection={<IconPencil {...icon} />} onClick={on.onRename}>
              <bdi className={classes.name}>Rename “{template.name}”</bdi>
            </Menu.Item>
            <Menu.Item leftSection={<IconTrash {...icon} />} onClick={on.onDelete}>
              <bdi className={classes.name}>Delete “{template.name}”</bdi>
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

type TemplateDialogProps = { message: MessageState; isRename: boolean; onClose: () => void }

function TemplateDialog({ message, isRename, onClose }: TemplateDialogProps) {
  const { templates, template, text, keepAs } = message
  const create = useCreateTemplate()
  const rename = useChangeTemplate({
    saved: 'Template renamed',
    failed: 'Failed to rename template',
  })
  const renamed = isRename ? template : undefined
  // One id for all tries, so that a lost answer never creates two templates.
  const [id] = useState(() => renamed?.id ?? newId())
  return (
    <NameDialog
      title={renamed ? 'Rename template' : 'Save as new template'}
      submitLabel={renamed ? 'Rename' : 'Save'}
      kind="template"
      name={renamed?.name ?? ''}
      taken={templates.rows.filter((other) => other.id !== id).map(({ name }) => name)}
      onSave={async (name) => {
        await (renamed ? rename({ id, name }) : create({ id, name, ...text }))
        keepAs(id)
      }}
      onClose={onClose}
    />
  )
}
