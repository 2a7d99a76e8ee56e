import { unnamed } from './contact.ts'
import { currencyAt } from './import-currency.ts'
import { addressesIn, type CellAddress } from './import-emails.ts'
import type { ImportPlan } from './import-plan.ts'
import {
  type Cells,
  checkedRow,
  first,
  type ImportRow,
  type RawValues,
} from './import-row-values.ts'
import { isOutcomeWord, stageOf } from './import-stage.ts'
import { splitName } from './import-values.ts'

/** Reads a row of a file of deals. */
export function readDeal(cells: Cells, raw: RawValues, { isOwn }: ImportPlan): ImportRow {
  const contacts = first(cells, 'contact')
  const emails = first(cells, 'contact_email')
  const fileStage = first(cells, 'stage')
  const status = first(cells, 'status')
  const { stage, isOverruled } = stageOf(fileStage, status, isOwn)
  // A column of its own says it better than a sign at the amount.
  const sign = raw.currency
    ? { currency: raw.currency, shared: null }
    : currencyAt(first(cells, 'value'))
  return checkedRow(
    'deals',
    {
      ...raw,
      currency: sign.currency ?? '',
      status: '',
      contact: '',
      stage,
      ...contactOf(cells, isOwn),
    },
    {
      // For the remarks in the dry run.
      file_currency: sign.shared,
      file_stage: isOverruled ? fileStage : null,
      file_deal_status: status === '' || isOutcomeWord(status) ? null : status,
      file_contacts:
        [contacts].find((text) => /;\s*\S/.test(text)) ??
        [emails].find((text) => addressesIn(text).length > 1) ??
        null,
    },
  )
}

/** The contact of a deal: in parts, or as `Ada Lovelace`, `ada@example.com` or `Ada Lovelace (ada@example.com); …`. */
function contactOf(cells: Cells, isOwn: boolean) {
  const [{ email = '', name = '' } = {}] = addressesOf(cells, 'contact_email')
  const parts = {
    contact_first_name: first(cells, 'contact_first_name'),
    contact_last_name: first(cells, 'contact_last_name'),
  }
  if (parts.contact_first_name || parts.contact_last_name) return { ...parts, contact_email: email }
  const text = first(cells, 'contact') || name
  // Our own export writes this for a contact without a name.
  const [one = ''] = isOwn && text === unnamed ? [] : text.split(';')
  const plain = one.replace(/mailto:/i, '')
  const [, address = ''] = /([^\s@()<>]+@[^\s@()<>]+)/.exec(plain) ?? []
  const { first_name, last_name } = splitName(
    plain
      .replace(address, '')
      .replace(/\(\s*\)|<\s*>/, '')
      .trim(),
  )
  return {
    contact_first_name: first_name,
    contact_last_name: last_name,
    contact_email: email || address,
  }
}

/** The e-mail addresses of a field from all its columns and cells, each once. */
function addressesOf(cells: Cells, field: string): CellAddress[] {
  const found = new Map<string, CellAddress>()
  for (const address of (cells.get(field) ?? []).flatMap(addressesIn)) {
    const key = address.email.toLowerCase()
    if (!found.has(key)) found.set(key, address)
  }
  return [...found.values()]
}
