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

/** The QR code of a contact's card, if need be without its notes; null when the rest is too long as well. */
export function cardCode(contact: CardContact): (Code & { hasNotes: boolean }) | null {
  const whole = codeOf(vcards([contact]))
  if (whole) return { ...whole, hasNotes: Boolean(contact.notes) }
  const rest = contact.notes ? codeOf(vcards([{ ...contact, notes: null }])) : null
  return rest && { ...rest, hasNotes: false }
}

function codeOf(text: string): Code | null {
  const bytes = new TextEncoder().encode(text)
  if (bytes.length > maxBytes) return null
  // UTF-8 without a mark of its encoding, as most codes have it: not every scanner understands the mark.
  const code = generate(mode.bytes(bytes), { minCorrectionLevel: correction.L })
  return { path: toSvgPath(code), size: code.size }
}
