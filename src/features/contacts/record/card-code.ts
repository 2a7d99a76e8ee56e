import { correction, generate, mode } from 'lean-qr'
import { toSvgPath } from 'lean-qr/extras/svg'
import { type CardContact, vcards } from '#domain/vcard.ts'

/** A QR code as the path of an SVG, in modules. */
type Code = { path: string; size: number }

/**
 * As many bytes as a code of 77 modules holds (version 15): at the size of the dialog a module is then four pixels.
 * Screenshots of larger ones were read only now and then.
 */
const maxBytes = 520

/**
 * The QR code of a contact's card, if need be without its notes, or without these and the user's own fields; null when
 * the rest is too long as well.
 */
export function cardCode(
  contact: CardContact,
): (Code & { hasNotes: boolean; hasOwn: boolean }) | null {
  const withoutNotes = { ...contact, notes: null }
  for (const card of [contact, withoutNotes, { ...withoutNotes, own: [] }]) {
    const code = codeOf(vcards([card]))
    const hasOwn = (card.own ?? []).length > 0
    if (code) return { ...code, hasNotes: Boolean(card.notes), hasOwn }
  }
  return null
}

function codeOf(text: string): Code | null {
  const bytes = new TextEncoder().encode(text)
  if (bytes.length > maxBytes) return null
  // UTF-8 without a mark of its encoding, as most codes have it: not every scanner understands the mark.
  const code = generate(mode.bytes(bytes), { minCorrectionLevel: correction.L })
  return { path: toSvgPath(code), size: code.size }
}
