import { strToU8, zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { createFileSession } from './file-session.ts'

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

/** A workbook as Excel writes it: sheets of rows of cells, each cell as XML without its address. */
function workbook(sheets: Record<string, string[][]>): Uint8Array<ArrayBuffer> {
  const names = Object.keys(sheets)
  const parts: Record<string, string> = {
    '[Content_Types].xml': `${head}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`,
    'xl/workbook.xml': `${head}<workbook ${main} xmlns:r="${relations}"><sheets>${names
      .map((name, place) => `<sheet name="${name}" sheetId="${place + 1}" r:id="rId${place + 1}"/>`)
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${head}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${names
      .map(
        (_, place) =>
          `<Relationship Id="rId${place + 1}" Type="${relations}/worksheet" Target="worksheets/sheet${place + 1}.xml"/>`,
      )
      .join(
        '',
      )}<Relationship Id="rId90" Type="${relations}/styles" Target="styles.xml"/><Relationship Id="rId91" Type="${relations}/sharedStrings" Target="sharedStrings.xml"/></Relationships>`,
    'xl/sharedStrings.xml': `${head}<sst ${main}><si><t>Shared name</t></si></sst>`,
    // 0 plain, 1 a day, 2 a percentage of Excel, 3 one of the user's, 4 a day with the time.
    'xl/styles.xml': `${head}<styleSheet ${main}><numFmts count="1"><numFmt numFmtId="170" formatCode="0.0%"/></numFmts><cellXfs count="5"><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/><xf numFmtId="9"/><xf numFmtId="170"/><xf numFmtId="22" applyNumberFormat="1"/></cellXfs></styleSheet>`,
  }
  for (const [place, rows] of Object.values(sheets).entries()) {
    parts[`xl/worksheets/sheet${place + 1}.xml`] = `${head}<worksheet ${main}><sheetData>${rows
      .map(
        (cells, row) =>
          `<row r="${row + 1}">${cells
            .map((cell, column) =>
              cell.replace('<c', `<c r="${String.fromCharCode(65 + column)}${row + 1}"`),
            )
            .join('')}</row>`,
      )
      .join('')}</sheetData></worksheet>`
  }
  const files = Object.entries(parts).map(([name, text]) => [name, strToU8(text)])
  return zipSync(Object.fromEntries(files)) as Uint8Array<ArrayBuffer>
}

const text = (words: string) => `<c t="inlineStr"><is><t>${words}</t></is></c>`
const number = (value: string | number, style = 0) => `<c s="${style}"><v>${value}</v></c>`
const header = (...names: string[]) => names.map(text)

async function open(bytes: BlobPart, name = 'people.xlsx') {
  const session = createFileSession()
  return { session, opened: await session.open(new File([bytes], name)) }
}

test('cells of a workbook say what they show: dates, numbers, percentages and answers', async () => {
  const { session, opened } = await open(
    workbook({
      People: [
        header(
          'First Name',
          'Email',
          'Contract end',
          'Last call',
          'Size',
          'Discount',
          'Share',
          'Paid',
        ),
        [
          '<c t="s"><v>0</v></c>',
          text('ada@example.com'),
          number(46_380, 1),
          number(46_380.4375, 4),
          number(0.1 + 0.2),
          number(0.15, 2),
          number(0.1234, 3),
          '<c t="b"><v>1</v></c>',
        ],
      ],
    }),
  )
  if ('problem' in opened) throw new Error(opened.problem)
  expect(opened.form).toEqual({ is: 'workbook', sheets: ['People'], sheet: 0 })
  expect((await session.original([2])).rows).toEqual([
    [
      'Shared name',
      'ada@example.com',
      '2026-12-24',
      '2026-12-24 10:30',
      '0.3',
      '15%',
      '12.34%',
      'TRUE',
    ],
  ])
  const kinds = opened.interpretation.plan.own.map(({ name, kind }) => `${name}: ${kind}`)
  expect(kinds).toEqual([
    'Contract end: day',
    'Last call: text',
    'Size: number',
    'Discount: text',
    'Share: text',
    'Paid: yes/no',
  ])
})

test('of several sheets the first with a table is read, and another on demand', async () => {
  const { session, opened } = await open(
    workbook({
      Blank: [],
      'Cover &amp; notes': [header('Made with love'), header('Exported by', 'Eve')],
      People: [header('First Name', 'Email'), header('Ada', 'ada@example.com')],
      Empty: [],
    }),
  )
  if ('problem' in opened) throw new Error(opened.problem)
  const sheets = ['Blank', 'Cover & notes', 'People', 'Empty']
  expect(opened.form).toEqual({ is: 'workbook', sheets, sheet: 2 })
  expect(opened.interpretation.plan.mapping).toEqual(['first_name', 'email'])
  expect(await session.reread({ sheet: 1 })).toEqual({
    problem: 'This has a header but no rows.',
  })
  expect(await session.reread({ sheet: 3 })).toEqual({ problem: 'The sheet “Empty” is empty.' })

  const { opened: none } = await open(workbook({ Blank: [], Cover: [header('Made with love')] }))
  expect(none).toEqual({ problem: 'This has a header but no rows.' })
  const { opened: few } = await open(workbook({ Names: [header('Name'), header('Ada')] }))
  expect(few).toMatchObject({ form: { sheet: 0 } })
})

test('what is no workbook, is damaged, has a password or is too large is refused in words', async () => {
  const whole = workbook({ People: [header('First Name'), header('Ada')] })
  const { opened: cut } = await open(whole.slice(0, whole.length - 40))
  expect(cut).toEqual({ problem: expect.stringMatching(/^This workbook is damaged/) })
  const { opened: archive } = await open(
    zipSync({ 'a.txt': strToU8('a') }) as Uint8Array<ArrayBuffer>,
  )
  expect(archive).toEqual({ problem: expect.stringMatching(/^This is an archive, not a workbook/) })
  const locked = new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0, 0, 0, 0])
  expect((await open(locked)).opened).toEqual({
    problem: expect.stringMatching(/^This is an old Excel file \(\.xls\) or has a password/),
  })
  // Little in the file, and much when it is unpacked, as its directory says.
  const bomb = whole.slice()
  const entry = bomb.findIndex(
    (byte, at) => byte === 0x50 && bomb[at + 1] === 0x4b && bomb[at + 2] === 1,
  )
  new DataView(bomb.buffer).setUint32(entry + 24, 500 * 1024 * 1024, true)
  expect((await open(bomb)).opened).toEqual({
    problem: expect.stringMatching(/^This workbook is too large/),
  })
})
