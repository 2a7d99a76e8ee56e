import { Button, Popover, TextInput } from '@mantine/core'
import { RichTextEditor, useRichTextEditorContext } from '@mantine/tiptap'
import { IconLink } from '@tabler/icons-react'
import { useEditorState } from '@tiptap/react'
import { useState } from 'react'
import classes from './rich-text.module.css'

/** The button that makes a link, with the field for where it leads. */
export function RichTextLink() {
  const { editor } = useRichTextEditorContext()
  const [typed, setTyped] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const isActive = useEditorState({
    editor: editor ?? null,
    selector: (state) => state.editor?.isActive('link') ?? false,
  })
  const close = () => {
    setTyped(null)
    setProblem(null)
  }
  function open(): void {
    setTyped(String(editor?.getAttributes('link').href ?? ''))
  }
  function save(): void {
    const text = typed?.trim() ?? ''
    const href = linkOf(text)
    if (text !== '' && !href) {
      setProblem('Enter a web address or an email address.')
      return
    }
    const chain = editor?.chain().focus().extendMarkRange('link')
    if (!href) chain?.unsetLink().run()
    // Without a selection, the address is what is read.
    else if (editor?.state.selection.empty && !isActive) {
      const marks = [{ type: 'link', attrs: { href } }]
      chain?.insertContent({ type: 'text', text, marks }).run()
    } else chain?.setLink({ href }).run()
    close()
  }
  return (
    <Popover
      opened={typed !== null}
      onChange={(isOpen) => !isOpen && close()}
      trapFocus
      shadow="md"
      position="bottom-start"
      withinPortal={false}
      floatingStrategy="fixed"
    >
      <Popover.Target>
        <RichTextEditor.Control
          aria-label="Link"
          title="Link"
          active={isActive ?? false}
          onClick={() => (typed === null ? open() : close())}
        >
          <IconLink size={16} stroke={1.5} aria-hidden />
        </RichTextEditor.Control>
      </Popover.Target>
      <Popover.Dropdown className={classes.link ?? ''}>
        <TextInput
          aria-label="Link address"
          placeholder="https://example.com"
          // Not of type url: what is typed without its beginning is completed.
          inputMode="url"
          autoComplete="off"
          value={typed ?? ''}
          error={problem}
          data-autofocus
          // Escape closes this, not the dialog around it.
          data-mantine-stop-propagation
          onChange={({ currentTarget }) => {
            setTyped(currentTarget.value)
            setProblem(null)
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
            // It must not send the form around it.
            event.preventDefault()
            event.stopPropagation()
            save()
          }}
        />
        <Button variant="default" data-mantine-stop-propagation onClick={save}>
          {isActive && typed?.trim() === '' ? 'Remove link' : 'Set link'}
        </Button>
      </Popover.Dropdown>
    </Popover>
  )
}

/** Where a link leads, completed as browsers do it; null where that is nowhere. */
function linkOf(text: string): string | null {
  if (/^(https?:\/\/|mailto:|tel:)\S+$/i.test(text)) return text
  if (/^[^\s@/:]+@[^\s@/:]+\.[^\s@/:]+$/.test(text)) return `mailto:${text}`
  return /^[^\s@/:.]+(\.[^\s@/:.]+)+([:/?#]\S*)?$/.test(text) ? `https://${text}` : null
}
