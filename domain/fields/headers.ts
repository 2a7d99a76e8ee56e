import type { companyFields } from './companies.ts'
import type { contactFields } from './contacts.ts'
import type { dealFields } from './deals.ts'
import type { Fields } from './field.ts'

type Headers<F extends Fields> = { [Name in keyof F]?: string[] }

/**
 * What other programs call our fields, folded as by `foldHeader`, the surest name first; what we call a field
 * ourselves need not be listed. `#` stands for a number: Google numbers its columns. Beside the definitions,
 * because only an import needs to load it.
 */
export const contactHeaders: Headers<typeof contactFields> = {
  first_name: ['given name', 'forename', 'person first name'],
  last_name: ['family name', 'surname', 'person last name'],
  nickname: ['nick name', 'preferred name', 'known as'],
  full_name: ['name', 'contact name', 'display name', 'person name'],
  email: [
    'e mail',
    'email address',
    'e mail address',
    'e mail # value',
    'e mail # address',
    'work email',
    'person email',
    'person email work',
    'person email home',
    'person email other',
  ],
  phone_number: [
    'phone number',
    'phone # value',
    'telephone',
    'primary phone',
    'mobile phone',
    'mobile phone number',
    'mobile',
    'cell phone',
    'business phone',
    'business phone #',
    'home phone',
    'home phone #',
    'company main phone',
    'other phone',
    'person phone',
    'person phone work',
    'person phone mobile',
    'person phone home',
    'person phone other',
  ],
  role_title: [
    'role title',
    'job title',
    'position',
    'organization title',
    'organization # title',
    'person job title',
    'person title',
    // In some files this is the form of address, but those have a job title too.
    'title',
  ],
  company_id: [
    'company name',
    'associated company',
    'organization',
    'organization name',
    'organization # name',
    'account name',
    'account',
    'employer',
    'person organization',
  ],
  lead_status: ['status', 'lifecycle stage'],
  lead_score: ['score'],
  notes: ['note', 'comments', 'person notes'],
  created_at: ['create date', 'created date', 'date created', 'created'],
}

export const companyHeaders: Headers<typeof companyFields> = {
  name: ['company', 'name', 'organization name', 'organization', 'account name', 'account'],
  website: ['website url', 'web page', 'homepage', 'company domain name', 'domain', 'url'],
  industry: ['sector'],
  location: ['address', 'city', 'state region', 'state', 'country region', 'country'],
  created_at: ['create date', 'created date', 'date created', 'created'],
}

export const dealHeaders: Headers<typeof dealFields> = {
  name: ['deal title', 'deal', 'opportunity name', 'opportunity', 'name', 'title'],
  value: ['deal value', 'amount', 'potential value', 'deal amount'],
  expected_close_date: ['expected close', 'deal expected close date', 'close date', 'closing date'],
  pipeline_id: ['deal pipeline'],
  stage_id: ['deal stage'],
  status: ['deal status'],
  lost_reason: ['deal lost reason', 'closed lost reason'],
  company_id: [
    'company name',
    'associated company',
    'organization',
    'deal organization',
    'account name',
    'account',
  ],
  contact_id: [
    'contact name',
    'associated contact',
    'contact person',
    'deal contact person',
    'person',
  ],
  contact_email: ['email', 'e mail'],
  created_at: [
    'create date',
    'deal deal created',
    'deal created',
    'created date',
    'date created',
    'created',
  ],
}
