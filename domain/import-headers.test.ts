import { describe, expect, test } from 'vitest'
import { companyHeaders, contactHeaders, dealHeaders } from './fields/headers.ts'
import { type ImportKind, importFields, mapColumns, withColumn } from './import-headers.ts'
import { mayHaveDeals, recognisedKind } from './import-kind.ts'
import { foldedNames, foldHeader } from './known-headers.ts'

/** The header of a file and what its columns fill, without those that fill nothing. */
function mapped(kind: ImportKind, header: string): Record<string, string> {
  const columns = header.split(',')
  const fields = mapColumns(kind, columns)
  return Object.fromEntries(
    columns.flatMap((column, place) => {
      const field = fields[place]
      return field ? [[column, field]] : []
    }),
  )
}

const google =
  'First Name,Middle Name,Last Name,Phonetic First Name,Phonetic Middle Name,Phonetic Last Name,Name Prefix,Name Suffix,Nickname,File As,Organization Name,Organization Title,Organization Department,Birthday,Notes,Photo,Labels,E-mail 1 - Label,E-mail 1 - Value,E-mail 2 - Label,E-mail 2 - Value,Phone 1 - Label,Phone 1 - Value,Website 1 - Label,Website 1 - Value'
const oldGoogle =
  'Name,Given Name,Additional Name,Family Name,Yomi Name,Group Membership,E-mail 1 - Type,E-mail 1 - Value,Phone 1 - Type,Phone 1 - Value,Organization 1 - Name,Organization 1 - Title'
const outlook =
  'First Name,Middle Name,Last Name,Title,Suffix,Initials,Web Page,Notes,E-mail Address,E-mail 2 Address,E-mail 3 Address,Primary Phone,Home Phone,Home Phone 2,Mobile Phone,Business Phone,Company,Job Title,Department'
const hubSpot =
  'Record ID,First Name,Last Name,Email,Phone Number,Contact owner,Lead Status,Create Date,Associated Company,Job Title,Lifecycle Stage'
const pipedrive =
  'Person - Name,Person - First name,Person - Last name,Person - Organization,Person - Email - Work,Person - Email - Home,Person - Email - Other,Person - Phone - Work,Person - Phone - Mobile,Person - Title'
const linkedIn = 'First Name,Last Name,URL,Email Address,Company,Position,Connected On'
const salesforce = 'Id,FirstName,LastName,Email,Phone,MobilePhone,Title,Account.Name'
const salesforceLeads = 'Lead ID,FirstName,LastName,Email,Phone,Company,LeadSource,Status'
const own = 'First Name,Last Name,Email,Phone,Role,Lead Status,Notes,Created At'
const hubSpotCompanies = 'Record ID,Company name,Website URL,Industry,City'
const hubSpotDeals =
  'Record ID,Deal Name,Deal Stage,Amount,Close Date,Pipeline,Associated Company,Associated Contact'
const pipedriveDeals =
  'Deal - Title,Deal - Value,Deal - Organization,Deal - Contact person,Deal - Pipeline,Deal - Stage,Deal - Status,Deal - Expected close date,Deal - Deal created,Deal - Lost reason'

describe('columns are mapped automatically', () => {
  test('Google Contacts, today', () => {
    expect(mapped('contacts', google)).toEqual({
      'First Name': 'first_name',
      'Middle Name': 'middle_name',
      'Last Name': 'last_name',
      Nickname: 'nickname',
      'Organization Name': 'company',
      'Organization Title': 'role_title',
      Birthday: 'birthday',
      Notes: 'notes',
      Labels: 'tags',
      'E-mail 1 - Label': 'emails',
      'E-mail 1 - Value': 'email',
      'E-mail 2 - Label': 'emails',
      'E-mail 2 - Value': 'email',
      'Phone 1 - Label': 'phones',
      'Phone 1 - Value': 'phone_number',
      'Website 1 - Label': 'links',
      'Website 1 - Value': 'links',
    })
  })

  test('Google Contacts, old', () => {
    expect(mapped('contacts', oldGoogle)).toEqual({
      Name: 'full_name',
      'Given Name': 'first_name',
      'Additional Name': 'middle_name',
      'Family Name': 'last_name',
      'Group Membership': 'tags',
      'E-mail 1 - Type': 'emails',
      'E-mail 1 - Value': 'email',
      'Phone 1 - Type': 'phones',
      'Phone 1 - Value': 'phone_number',
      'Organization 1 - Name': 'company',
      'Organization 1 - Title': 'role_title',
    })
  })

  test('Outlook, where the title is the form of address', () => {
    expect(mapped('contacts', outlook)).toEqual({
      'First Name': 'first_name',
      'Middle Name': 'middle_name',
      'Last Name': 'last_name',
      'Web Page': 'links',
      Notes: 'notes',
      'E-mail Address': 'email',
      'E-mail 2 Address': 'email',
      'E-mail 3 Address': 'email',
      'Primary Phone': 'phone_number',
      'Home Phone': 'phone_number',
      'Home Phone 2': 'phone_number',
      'Mobile Phone': 'phone_number',
      'Business Phone': 'phone_number',
      Company: 'company',
      'Job Title': 'role_title',
    })
  })

  test.each(['Associated Company', 'Company Name', 'Company'])(
    'HubSpot contacts, with %s',
    (name) => {
      expect(mapped('contacts', hubSpot.replace('Associated Company', name))).toEqual({
        'First Name': 'first_name',
        'Last Name': 'last_name',
        Email: 'email',
        'Phone Number': 'phone_number',
        'Lead Status': 'lead_status',
        'Create Date': 'created_at',
        [name]: 'company',
        'Job Title': 'role_title',
      })
    },
  )

  test('HubSpot companies', () => {
    expect(mapped('companies', hubSpotCompanies)).toEqual({
      'Company name': 'name',
      'Website URL': 'website',
      Industry: 'industry',
      City: 'location',
    })
  })

  test('HubSpot deals', () => {
    expect(mapped('deals', hubSpotDeals)).toEqual({
      'Deal Name': 'name',
      'Deal Stage': 'stage',
      Amount: 'value',
      'Close Date': 'expected_close_date',
      Pipeline: 'pipeline',
      'Associated Company': 'company',
      'Associated Contact': 'contact',
    })
  })

  test('Pipedrive people', () => {
    expect(mapped('contacts', pipedrive)).toEqual({
      'Person - Name': 'full_name',
      'Person - First name': 'first_name',
      'Person - Last name': 'last_name',
      'Person - Organization': 'company',
      'Person - Email - Work': 'email',
      'Person - Email - Home': 'email',
      'Person - Email - Other': 'email',
      'Person - Phone - Work': 'phone_number',
      'Person - Phone - Mobile': 'phone_number',
      'Person - Title': 'role_title',
    })
  })

  test('Pipedrive deals', () => {
    expect(mapped('deals', pipedriveDeals)).toEqual({
      'Deal - Title': 'name',
      'Deal - Value': 'value',
      'Deal - Organization': 'company',
      'Deal - Contact person': 'contact',
      'Deal - Pipeline': 'pipeline',
      'Deal - Stage': 'stage',
      'Deal - Status': 'status',
      'Deal - Expected close date': 'expected_close_date',
      'Deal - Deal created': 'created_at',
      'Deal - Lost reason': 'lost_reason',
    })
  })

  test('LinkedIn connections', () => {
    expect(mapped('contacts', linkedIn)).toEqual({
      'First Name': 'first_name',
      'Last Name': 'last_name',
      URL: 'links',
      'Email Address': 'email',
      Company: 'company',
      Position: 'role_title',
    })
  })

  test('Salesforce contacts', () => {
    expect(mapped('contacts', salesforce)).toEqual({
      FirstName: 'first_name',
      LastName: 'last_name',
      Email: 'email',
      Phone: 'phone_number',
      MobilePhone: 'phone_number',
      Title: 'role_title',
      'Account.Name': 'company',
    })
  })

  test('Salesforce leads', () => {
    expect(mapped('contacts', salesforceLeads)).toEqual({
      FirstName: 'first_name',
      LastName: 'last_name',
      Email: 'email',
      Phone: 'phone_number',
      Company: 'company',
      Status: 'lead_status',
    })
  })

  test('our own', () => {
    expect(Object.values(mapped('contacts', own))).toEqual([
      'first_name',
      'last_name',
      'email',
      'phone_number',
      'role_title',
      'lead_status',
      'notes',
      'created_at',
    ])
  })

  test('what the fields are called in our own lists', () => {
    for (const kind of ['contacts', 'companies', 'deals'] as const) {
      const names = Object.values(importFields[kind])
      expect(mapColumns(kind, names)).toEqual(Object.keys(importFields[kind]))
    }
  })
})

test('case, spaces, signs, numbers and accents are folded', () => {
  expect(
    ['  E-Mail ', 'eMail', 'É_mail', 'E mail 2', '*|EMAIL|*', 'Ｅｍａｉｌ'].map(foldHeader),
  ).toEqual(Array.from({ length: 6 }, () => 'email'))
  expect(foldHeader('Data zamówień, łącznie')).toBe('datazamowienlacznie')
})

test('of two columns for one field the surer one counts, whatever their order', () => {
  expect(mapColumns('contacts', ['Title', 'Job Title'])).toEqual([null, 'role_title'])
  expect(mapColumns('contacts', ['Lifecycle Stage', 'Lead Status'])).toEqual([null, 'lead_status'])
})

test('two columns of one name both count', () => {
  const columns = ['Email', 'Email (2)', 'Phone', 'Phone (2)', 'Company', 'Company (2)']
  const fields = ['email', 'email', 'phone_number', 'phone_number', 'company']
  expect(
    mapColumns('contacts', columns, [['a@x.com', 'b@x.com', '1', '2', 'Acme', 'Zeta']]),
  ).toEqual([...fields, null])
  const parted = [
    ['a@x.com', '', '', '', 'Acme', ''],
    ['b@x.com', '', '', '', '', 'Zeta'],
  ]
  expect(mapColumns('contacts', columns, parted)).toEqual([...fields, 'company'])
})

test('of two columns for one field one with values counts, but no doubtful one', () => {
  expect(mapColumns('contacts', ['Company Name', 'Associated Company'], [['', 'Acme']])).toEqual([
    null,
    'company',
  ])
  expect(mapColumns('contacts', ['Title', 'Job Title'], [['Dr.', '']])).toEqual([
    null,
    'role_title',
  ])
})

test('a name beside one of its parts is the other part, or all of it', () => {
  const columns = ['Name', 'First Name']
  expect(mapColumns('contacts', columns, [['Lovelace', 'Ada']])).toEqual([
    'last_name',
    'first_name',
  ])
  expect(mapColumns('contacts', columns, [['Ada Lovelace', 'Ada']])).toEqual(['full_name', null])
  expect(mapColumns('contacts', ['Nombre', 'Apellidos'], [['Ada', 'Lovelace']])).toEqual([
    'first_name',
    'last_name',
  ])
  expect(mapColumns('contacts', ['Nombre', 'Empresa'], [['Ada Lovelace', 'Acme']])).toEqual([
    'full_name',
    'company',
  ])
})

test('no name means two things in one language and kind', () => {
  for (const headers of [contactHeaders, companyHeaders, dealHeaders]) {
    const seen = new Map<string, string>()
    for (const [field, names] of Object.entries(headers)) {
      for (const [language, list] of Object.entries(names)) {
        for (const header of new Set(foldedNames(list))) {
          expect(seen.get(`${language} ${header}`), `${language} ${header}`).toBeUndefined()
          seen.set(`${language} ${header}`, field)
        }
      }
    }
  }
})

test('what a file holds is told by its header', () => {
  const kinds = [google, oldGoogle, outlook, hubSpot, pipedrive, linkedIn, salesforce, own]
  expect(kinds.map((header) => recognisedKind(header.split(',')))).toEqual(
    kinds.map(() => 'contacts'),
  )
  expect(recognisedKind(hubSpotCompanies.split(','))).toBe('companies')
  expect(recognisedKind(hubSpotDeals.split(','))).toBe('deals')
  expect(recognisedKind(pipedriveDeals.split(','))).toBe('deals')
  // A person with a value alone may have bought something.
  const person = ['First Name', 'Last Name', 'Email', 'Deal Value']
  expect(recognisedKind(person)).toBe('contacts')
  expect(mayHaveDeals(person)).toBe(true)
  expect(recognisedKind([...person, 'Deal Stage'])).toBe('deals')
  expect(recognisedKind(['x', 'y'])).toBeNull()
  expect(recognisedKind(['Name', 'City'])).toBeNull()
})

test('a field that one column fills is taken from the other, of several columns each keeps it', () => {
  expect(withColumn(['role_title', null], 1, 'role_title')).toEqual([null, 'role_title'])
  expect(withColumn(['email', null], 1, 'email')).toEqual(['email', 'email'])
  expect(withColumn(['email', null], 0, null)).toEqual([null, null])
})
