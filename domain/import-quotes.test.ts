import { describe, expect, test } from 'vitest'
import { isSuspicious, readLoosely, usualWidth } from './import-quotes.ts'

const read = (text: string, width = 3) => readLoosely(text, ',', width)
const cellsOf = (text: string, width = 3) => read(text, width).map(({ cells }) => cells)

describe('what is well quoted is read by the rules', () => {
  test.each([
    [
      'a,b,c\nd,e,f',
      [
        ['a', 'b', 'c'],
        ['d', 'e', 'f'],
      ],
    ],
    ['a,"b, ""c""\r\nd",e\r\n', [['a', 'b, "c"\r\nd', 'e'], ['']]],
    ['"a" ,"","""b"""', [['a', '', '"b"']]],
    ['5" pipe,a "b" c,d"', [['5" pipe', 'a "b" c', 'd"']]],
    [
      'a,"two\nlines"\nb,c,d',
      [
        ['a', 'two\nlines'],
        ['b', 'c', 'd'],
      ],
    ],
    ['a\rb', [['a'], ['b']]],
  ])('%j', (text, rows) => {
    expect(cellsOf(text)).toEqual(rows)
  })
})

describe('what is not is read as a person would', () => {
  test.each([
    ['"Bob" Babbage,b@x.com,1', ['"Bob" Babbage', 'b@x.com', '1']],
    ['1,"Bob" "B",x', ['1', '"Bob" "B"', 'x']],
    ['1,x,"Bob" Babbage', ['1', 'x', '"Bob" Babbage']],
    ['"5" pipe,12",x', ['"5" pipe', '12"', 'x']],
    ['"She said "no", twice",b,c', ['She said "no", twice', 'b', 'c']],
    ['a,"one\nsaid "hi" to me\nthree",c', ['a', 'one\nsaid "hi" to me\nthree', 'c']],
  ])('%j', (row, cells) => {
    expect(read(`h,i,j\n${row}\nn,"e ""x""\nt",w`)).toEqual([
      { cells: ['h', 'i', 'j'] },
      { cells },
      { cells: ['n', 'e "x"\nt', 'w'] },
    ])
  })
})

describe('what a person could not read is told, and the rows after it are not', () => {
  test.each([
    ['"Bob,1,x', 'A quotation mark in this row is never closed.'],
    ['Bob,1,"', 'A quotation mark in this row is never closed.'],
    ['Bob,"1,x', 'A quotation mark in this row is never closed.'],
    ['"a" b,"c" d', 'The quotation marks in this row don’t match.'],
    ['"a" b,c,d,e,f', 'The quotation marks in this row don’t match.'],
  ])('%j', (row, problem) => {
    const rows = read(`h,i,j\n${row}\nn,"e ""x""\nt",w\no,"",""\np,q`)
    expect(rows.map((each) => each.problem)).toEqual([
      undefined,
      problem,
      undefined,
      undefined,
      undefined,
    ])
    expect(rows.slice(2).map(({ cells }) => cells)).toEqual([
      ['n', 'e "x"\nt', 'w'],
      ['o', '', ''],
      ['p', 'q'],
    ])
  })

  test('what comes right behind it and is no whole row may belong to it', () => {
    expect(read('h,i,j\na,"one\ntwo\n\nb,c,d').map(({ problem }) => problem)).toEqual([
      undefined,
      'A quotation mark in this row is never closed.',
      'This row follows one whose quotation marks can’t be read, and may be a part of it.',
      undefined,
      undefined,
    ])
  })

  test('two stray marks that meet by chance do not make one cell of the rows between them', () => {
    const text = 'h,i,j\n"Bob,1,x\nDee,4,y\nAda,2,"\nCy,3,z'
    expect(cellsOf(text)).toEqual([
      ['h', 'i', 'j'],
      ['"Bob', '1', 'x'],
      ['Dee', '4', 'y'],
      ['Ada', '2', '"'],
      ['Cy', '3', 'z'],
    ])
    expect(read(text).map(({ problem }) => Boolean(problem))).toEqual([
      false,
      true,
      false,
      true,
      false,
    ])
  })
})

test('a stray mark anywhere leaves every other row intact', () => {
  const good = [
    ['Ada', 'a@x.com', 'plain'],
    ['Bo, Jr.', 'b@x.com', 'two\nlines, and "quotes"'],
    ['Cy', '', ''],
    ['"Dee"', 'd@x.com', '\r\n'],
    ['Eve', 'e@x.com', '5" pipe'],
    ['Fay', 'f@x.com', ', first'],
  ]
  const strays = [
    '"Bob" B',
    '"Bob',
    'Bob"',
    '"',
    '"Bob"x"y',
    '""Bob"" x',
    '"B" "C"',
    'B "C" D',
    '" "x',
  ]
  const quoted = (cell: string) =>
    cell === '' || /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
  const header = ['First Name', 'Email', 'Notes']
  for (const stray of strays) {
    for (let at = 0; at <= good.length; at += 1) {
      for (let column = 0; column < 3; column += 1) {
        const bad = ['x', 'y', 'z'].map((cell, place) => (place === column ? stray : cell))
        const lines = good.map((row) => row.map(quoted).join(','))
        const text = [header.join(','), ...lines.toSpliced(at, 0, bad.join(','))].join('\r\n')
        const rows = readLoosely(text, ',', 3)
        expect(rows, text).toHaveLength(good.length + 2)
        const [row] = rows.splice(at + 1, 1)
        expect(row?.problem ?? row?.cells, text).toEqual(
          row?.problem ? 'A quotation mark in this row is never closed.' : bad,
        )
        expect(rows, text).toEqual([header, ...good].map((cells) => ({ cells })))
      }
    }
  }
})

test('the usual number of cells is that of the header, unless no row has so many', () => {
  const header = ['First Name', 'Last Name', 'Email']
  expect(usualWidth([['Notes'], header, ['a', 'b', 'c'], ['d', 'e']])).toBe(3)
  expect(usualWidth([header, ['a', 'b'], ['c', 'd'], ['e', 'f', 'g', 'h']])).toBe(2)
  expect(usualWidth([header, ['x']])).toBe(3)
  expect(usualWidth([])).toBe(1)
})

test('rows over several lines are suspicious when they have another number of cells', () => {
  expect(isSuspicious([['a', 'b\nc']], 2)).toBe(false)
  expect(isSuspicious([['a', 'b']], 3)).toBe(false)
  expect(isSuspicious([['a', 'b\nc']], 3)).toBe(true)
})
