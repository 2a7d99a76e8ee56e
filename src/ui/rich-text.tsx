import '@mantine/tiptap/styles.layer.css'
import { Input } from '@mantine/core'
import { Link, RichTextEditor } from '@mantine/tiptap'
import { useEditor } from '@tiptap/react'
import StarterKit from '@tiptap/starter-kit'
import {
  type ReactNode,
  type Ref,
  useEffect,
  useEffectEvent,
  useId,
  useImperativeHandle,
} from 'react'
import classes from './rich-text.module.css'
import { RichTextLink } from './rich-text-link.tsx'

/** What others may do to the text. */
export type RichTextHandle = {
  /** Where the cursor is. */
  insert: (text: string) => void
  setHtml: (html: string) => void
  focus: () => void
}

type RichTextProps = {
  label: string
  /** At the start; afterwards the editor has its own. */
  html: string
  onChange: (html: string) => void
  onFocus?: () => void
  ref?: Ref<RichTextHandle>
  error?: ReactNode
  /** Further buttons, after those of the text. */
  tools?: ReactNode
  /** Few lines are expected. */
  isSmall?: boolean
  /** It has the keyboard when its dialog opens. */
  isFirst?: boolean
}

const allowed = /^(https?:|mailto:|tel:)/i

/** What mail programs show alike; whatever else is pasted becomes this. */
const extensions = [
  StarterKit.configure({
    ...{ code: false, codeBlock: false, heading: false, horizontalRule: false, strike: false },
    ...{ underline: false, link: false, trailingNode: false, dropcursor: false, gapcursor: false },
  }),
  Link.configure({
    openOnClick: false,
    autolink: true,
    defaultProtocol: 'https',
    HTMLAttributes: { target: null, rel: null, class: null },
    isAllowedUri: (uri) => allowed.test(uri),
    // Only what is written as an address of the web: 'e.g' is none.
    shouldAutoLink: (uri) => /^(https?:\/\/|www\.)/i.test(uri),
  }),
]

/** A text with bold, italic, lists and links. */
export function RichText({
  label,
  html,
  onChange,
  onFocus,
  ref,
  error,
  tools,
  isSmall = false,
  isFirst = false,
}: RichTextProps) {
  const id = useId()
  const changed = useEffectEvent(onChange)
  const focused = useEffectEvent(() => onFocus?.())
  const editor = useEditor({
    extensions,
    content: html,
    // The styles are ours.
    injectCSS: false,
    editorProps: {
      attributes: {
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-labelledby': `${id}-label`,
        dir: 'auto',
        ...(isFirst ? { 'data-autofocus': 'true' } : {}),
      },
    },
  })
  useEffect(() => {
    if (!editor) return
    const tell = () => changed(editor.getHTML())
    const enter = () => focused()
    editor.on('update', tell)
    editor.on('focus', enter)
    return () => {
      editor.off('update', tell)
      editor.off('focus', enter)
    }
  }, [editor])
  useImperativeHandle(
    ref,
    () => ({
      insert: (text) => editor?.chain().focus().insertContent({ type: 'text', text }).run(),
      setHtml: (next) => editor?.commands.setContent(next, { emitUpdate: true }),
      focus: () => editor?.commands.focus('end'),
    }),
    [editor],
  )
  return (
    <div>
      <Input.Label id={`${id}-label`} labelElement="div" onClick={() => editor?.commands.focus()}>
        {label}
      </Input.Label>
      <RichTextEditor
        editor={editor}
        withTypographyStyles={false}
        data-small={isSmall || undefined}
        data-error={error ? true : undefined}
        classNames={{
          root: classes.root ?? '',
          toolbar: classes.toolbar ?? '',
          content: classes.content ?? '',
          control: classes.control ?? '',
        }}
      >
        {/* Before the tools, which stand above it: Tab leads from the field before into the text. */}
        <RichTextEditor.Content />
        <RichTextEditor.Toolbar aria-label={`Format ${label.toLowerCase()}`} role="toolbar">
          <RichTextEditor.ControlsGroup>
            <RichTextEditor.Bold />
            <RichTextEditor.Italic />
          </RichTextEditor.ControlsGroup>
          <RichTextEditor.ControlsGroup>
            <RichTextEditor.BulletList />
            <RichTextEditor.OrderedList />
          </RichTextEditor.ControlsGroup>
          <RichTextEditor.ControlsGroup>
            <RichTextLink />
          </RichTextEditor.ControlsGroup>
          {tools}
        </RichTextEditor.Toolbar>
      </RichTextEditor>
      {error && (
        <Input.Error mt={4} role="alert">
          {error}
        </Input.Error>
      )}
    </div>
  )
}
