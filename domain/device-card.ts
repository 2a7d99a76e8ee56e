import type { DeviceRow } from './device-contacts.ts'
import { contactFields } from './fields/contacts.ts'
import { unfilledRow } from './fields/row.ts'

const unknown = unfilledRow(contactFields)

/** A contact as lists show it, with what the device knows; all other fields are as if nobody had filled them. */
export function deviceCard(row: DeviceRow) {
  const [id, first_name, last_name, email, phone_number, company_id, company_name] = row
  const [, , , , , , , role_title, lead_status, created_at, emails, phones] = row
  const entries = (value: string | null) => (value ? [{ label: '', value }] : [])
  return {
    ...unknown,
    ...{ id, first_name, last_name, email, phone_number, company_id, company_name, role_title },
    ...{ lead_status, created_at, updated_at: created_at },
    emails: emails ?? entries(email),
    phones: phones ?? entries(phone_number),
    ...{ custom: {}, last_contacted: null, next_task: null },
  }
}
