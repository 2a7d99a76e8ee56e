import { Button, Checkbox, Modal, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { contactName } from '#domain/contact.ts'
import type { Fields } from '#domain/fields/field.ts'
import { type CardContact, ownTexts, vcardName, vcards, vcardType } from '#domain/vcard.ts'
import { saveFile } from '#lib/save-file.ts'
import parts from '#ui/form-dialog.module.css'
import { useFocusBack } from '#ui/use-focus-back.ts'
import { cardCode } from './card-code.ts'
import classes from './share-contact.module.css'

type ShareContactDialogProps = {
  contact: CardContact
  /** The fields of the user's own that are shown. */
  own: Fields
  onClose: () => void
}

/** A contact's card as a QR code, which a phone reads, and as a file. */
export function ShareContactDialog({ contact, own, onClose }: ShareContactDialogProps) {
  useFocusBack()
  const [withNotes, setWithNotes] = useState(true)
  // What the user notes of people concerns nobody else, unless they choose so.
  const [withOwn, setWithOwn] = useState(false)
  const texts = useMemo(() => ownTexts(own, contact), [own, contact])
  const shared = useMemo(
    // How the user sorts their contacts concerns nobody else.
    () => ({
      ...contact,
      tags: [],
      own: withOwn ? texts : [],
      ...(withNotes ? {} : { notes: null }),
    }),
    [contact, texts, withNotes, withOwn],
  )
  const code = useMemo(() => cardCode(shared), [shared])
  const name = contactName(contact)
  function save(): void {
    saveFile(new Blob([vcards([shared])], { type: vcardType }), vcardName(shared))
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={
        <>
          Share <bdi>{name}</bdi>
        </>
      }
      size={400}
      yOffset="12dvh"
      classNames={{ content: parts.content ?? '', body: parts.body ?? '' }}
    >
      <div className={parts.fields}>
        {code && <CodePicture {...code} label={`QR code of the vCard of ${name}`} />}
        <Text c="dimmed" role="status">
          {wordsFor(code, shared)}
        </Text>
        {contact.notes && (
          <Checkbox
            label="Include notes"
            checked={withNotes}
            onChange={(event) => setWithNotes(event.currentTarget.checked)}
          />
        )}
        {texts.length > 0 && (
          <Checkbox
            label="Include custom fields"
            checked={withOwn}
            onChange={(event) => setWithOwn(event.currentTarget.checked)}
          />
        )}
      </div>
      <div className={parts.foot}>
        <Button
          data-autofocus
          leftSection={<IconDownload size={16} stroke={1.5} aria-hidden />}
          onClick={save}
        >
          Download vCard
        </Button>
      </div>
    </Modal>
  )
}

function wordsFor(code: ReturnType<typeof cardCode>, { notes, own = [] }: CardContact): string {
  if (!code) return 'This contact doesn’t fit in a QR code. Download the vCard instead.'
  const scan = 'Scan with a phone’s camera to save the contact.'
  const missing = [
    ...(notes && !code.hasNotes ? ['notes'] : []),
    ...(own.length > 0 && !code.hasOwn ? ['custom fields'] : []),
  ].join(' and ')
  if (missing) return `${scan} The ${missing} don’t fit in the code; the vCard has them.`
  return scan
}

type CodePictureProps = { path: string; size: number; label: string }

/** Black on white in the dark too: many scanners do not read a code with its colours swapped. */
function CodePicture({ path, size, label }: CodePictureProps) {
  // Scanners need a white edge of four modules.
  const edge = 4
  const side = size + 2 * edge
  return (
    <svg
      className={classes.code}
      viewBox={`${-edge} ${-edge} ${side} ${side}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <rect x={-edge} y={-edge} width={side} height={side} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}
