import type { OwnField, OwnKind } from './fields/own.ts'
import { guessedKind } from './import-guess.ts'
import {
  type ImportKind,
  type ImportMapping,
  namesSide,
  sureFields,
  withColumn,
} from './import-headers.ts'
import { isLabelColumn } from './import-lists.ts'
import { isMapped, mappedName, type PlannedField, plannedField } from './import-own.ts'
import {
  kindOfSide,
  plainField,
  type Side,
  sideName,
  sideOf,
  sideOfHeader,
  withoutSide,
} from './import-sides.ts'
import { dayOrderOf } from './import-values.ts'
import { isComputed } from './own-file.ts'

/** Where a column goes whose cells are added to the notes, each after the name of the column. */
export const labelledNotes = 'labelled notes'

/** What a cell says of a picture or a sound of a card, which cannot be kept. */
export const unkept = '[not text]'

/** A record can have so many fields of the user's own, and a file bring so many. */
export const mostFields = 100

const longestName = 60

/** A column that no field of ours takes: its place, its name and its cells that are not empty. */
type Unknown = { place: number; name: string; cells: string[] }

type File = {
  kind: ImportKind
  columns: string[]
  rows: string[][]
  /** Samples of the dates of columns that are mapped already. */
  dates: string[]
  /** We wrote it. */
  isOwn?: boolean
  /** The account's. */
  currency?: string
}

/** Whether one more field of such records fits. */
export function hasRoom(fields: readonly PlannedField[], record: ImportKind): boolean {
  return (
    fields.filter((field) => field.record === record).length < mostFields &&
    fields.filter(({ isNew }) => isNew).length < mostFields
  )
}

/** The name of a new field: no longer than one may be, and not taken by another one of such records. */
function freeName(wanted: string, record: ImportKind, fields: readonly PlannedField[]): string {
  const isTaken = (name: string) =>
    fields.some(
      (other) => other.record === record && other.name.toLowerCase() === name.toLowerCase(),
    )
  const short = wanted.trim().slice(0, longestName).trim()
  let name = short
  for (let number = 2; isTaken(name); number += 1) {
    name = `${short.slice(0, longestName - 4).trim()} ${number}`
  }
  return name
}

/** A field that the import makes of a column, of the records that the column tells of. */
function newField(
  { kind, side }: { kind: ImportKind; side: Side | null },
  id: string,
  header: string,
  guess: OwnKind,
  fields: readonly PlannedField[],
): PlannedField {
  const record = side ? kindOfSide[side] : kind
  const name = freeName(side ? withoutSide(side, header) : header, record, fields)
  const base: OwnField = {
    ...{ id, record, name, kind: guess },
    ...{ options: [], position: 0, is_hidden: false },
  }
  return { ...base, isNew: true, newOptions: [] }
}

/** Whose field a column of a file becomes where nobody says otherwise; null for the records of the file. */
function sideOfColumn(kind: ImportKind, mapping: ImportMapping, header: string): Side | null {
  const side = kind === 'deals' ? sideOfHeader(header) : null
  return side && namesSide(mapping, side) ? side : null
}

/**
 * Decides about the columns that hold something and that no field takes: each becomes a field of the user's own; of a file of
 * deals one of contacts or companies, where the header says so. What does not fit goes to the notes. Left out are only ids of
 * another program, its one owner, and what another column says already.
 */
export function keepColumns(
  file: File,
  mapping: ImportMapping,
  known: readonly PlannedField[],
  newId: () => string,
): { mapping: ImportMapping; fields: PlannedField[] } {
  const kept = [...mapping]
  const fields = [...known]
  let dates = file.dates
  for (const column of unknownColumns(file, mapping)) {
    if (isLeftOut(column, file, mapping)) continue
    const side = sideOfColumn(file.kind, mapping, column.name)
    const record = side ? kindOfSide[side] : file.kind
    const notes = side ? sideName(side, labelledNotes) : labelledNotes
    const header = side ? withoutSide(side, column.name) : column.name
    // What people wrote about a company or a deal is no fact of its own.
    if (record !== 'contacts' && sureFields('contacts', [header]).has('notes')) {
      kept[column.place] = notes
      continue
    }
    const order = dayOrderOf(dates.length > 0 ? dates : column.cells)
    const guess = guessedKind(header, column.cells, order, file.currency)
    if (guess === null || !hasRoom(fields, record)) {
      kept[column.place] = notes
      continue
    }
    if (guess === 'day') dates = [...dates, ...column.cells]
    const field = newField({ kind: file.kind, side }, newId(), column.name, guess, fields)
    fields.push(field)
    kept[column.place] = mappedName(file.kind, field)
  }
  return { mapping: kept, fields }
}

/** What the user may change of a plan: which field each column fills, and the fields that the import makes. */
export type Choices = { kind: ImportKind; mapping: ImportMapping; own: PlannedField[] }

/** A column as the screen knows it. */
type Kept = { name: string; isFilled: boolean; guess: OwnKind | null }

/** Maps a column to a field, the notes or nothing; a new field that no column fills any more is not made. */
export function withChoice(choices: Choices, place: number, field: string | null): Choices {
  const isShared =
    plainField(field) === labelledNotes ||
    plannedField(choices.own, field)?.kind === 'several choices'
  const mapping = withColumn(choices.mapping, place, field, isShared || undefined)
  return { ...choices, mapping, own: choices.own.filter(isMade(mapping)) }
}

function isMade(mapping: ImportMapping) {
  return (field: PlannedField) => !field.isNew || isMapped(field, mapping)
}

/** Keeps a column as a new field, of contacts or companies in a file of deals; where there is no room for one, nothing changes. */
export function keptAsField(
  choices: Choices,
  place: number,
  { name, guess }: Kept,
  id: string,
  side: Side | null = null,
): Choices {
  const { kind, own } = withChoice(choices, place, null)
  if (!hasRoom(own, side ? kindOfSide[side] : kind)) return choices
  const field = newField({ kind, side }, id, name, guess ?? 'long text', own)
  return withChoice({ ...choices, own: [...choices.own, field] }, place, mappedName(kind, field))
}

/** Keeps all columns that hold something and are left out, as far as there is room. */
export function allKept(choices: Choices, columns: readonly Kept[], newId: () => string): Choices {
  return columns.reduce(
    (now, column, place) =>
      column.isFilled && now.mapping[place] === null
        ? keptAsField(
            now,
            place,
            column,
            newId(),
            sideOfColumn(choices.kind, choices.mapping, column.name),
          )
        : now,
    choices,
  )
}

/** Puts all columns that would become new fields elsewhere: into the notes, or nowhere. */
export function noneKept(choices: Choices, instead: typeof labelledNotes | null): Choices {
  return choices.mapping.reduce((now, field, place) => {
    if (!plannedField(choices.own, field)?.isNew) return now
    const side = sideOf(field)?.side
    return withChoice(now, place, instead && side ? sideName(side, instead) : instead)
  }, choices)
}

/** The options follow from the kind, when the file is read with it. */
const noOptions = { options: [], newOptions: [] }

/** Changes the name or the kind of a new field. */
export function withFieldChanged(
  choices: Choices,
  id: string,
  changes: { name?: string; kind?: OwnKind },
): Choices {
  return {
    ...choices,
    own: choices.own.map((field) =>
      field.id === id ? { ...field, ...changes, ...(changes.kind ? noOptions : {}) } : field,
    ),
  }
}

function unknownColumns({ columns, rows }: File, mapping: ImportMapping): Unknown[] {
  return columns.flatMap((name, place) => {
    if (mapping[place] !== null) return []
    const cells = rows.map((row) => (row[place] ?? '').trim()).filter((text) => text !== '')
    return cells.length > 0 ? [{ place, name, cells }] : []
  })
}

function isLeftOut(
  column: Unknown,
  { kind, rows, isOwn = false }: File,
  mapping: ImportMapping,
): boolean {
  if (isOwn && isComputed(kind, column.name)) return true
  if (isForeignId(column.name) || isOneOwner(column) || isLabelColumn(column.name)) return true
  // Pictures of cards.
  if (column.cells.every((text) => text === unkept)) return true
  return rows.every((row) => isRepeated((row[column.place] ?? '').trim(), row, mapping))
}

/** 'Record ID', 'AccountId', 'hs_object_id', 'Account Name.id', 'Associated Contact IDs': numbers by which another program knows its records. */
function isForeignId(name: string): boolean {
  const words = name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter(Boolean)
  if (['leid', 'euid', 'uuid', 'guid', 'uid'].includes(words.join(''))) return true
  if (!['id', 'ids'].includes(words.at(-1) ?? '')) return false
  return words.slice(0, -1).every((word) => idWords.has(word))
}

const idWords = new Set(
  'record,contact,lead,account,company,deal,person,people,organization,organisation,org,opportunity,object,hs,internal,copper,owner,user,unique,parent,master,system,entity,list,entry,row,created,last,modified,by,associated,primary,attio,folk,capsule,streak,box,pipeline,stage,status,name,import'.split(
    ',',
  ),
)

/** Headers of whoever sells: `Contact owner`, `Deal - Owner`, `Assigned To`. A homeowner is somebody else. */
const ownerNames = [
  /^(?:(?:contact|person|company|organi[sz]ation|account|deal|opportunity|lead|record|object|hubspot|primary)[\s_:-]*)*owner(?:[\s_.-]*(?:full|first|last|name|alias|e-?mail|address))*$/i,
  /^(?:(?:contact|lead|deal|account)[\s_-]*)?assigned(?:[\s_-]*(?:to|user|owner|name|e-?mail))*$/i,
  /^(?:kontakt|unternehmens|deal|lead|account|datensatz)?-?(?:besitzer|eigent[uü]mer)$/i,
  /^(?:contact|bedrijfs?|deal|lead|account|record)?-?\s?eigenaar$/i,
  /^(?:propri[eé]taire|propietario|proprietario|proprietário)(?:\s|$)/i,
]

/** Who sells is the same in all rows, and is the user. */
function isOneOwner({ name, cells }: Unknown): boolean {
  const plain = name.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').trim()
  return ownerNames.some((owner) => owner.test(plain)) && new Set(cells).size === 1
}

/** Whether another column of the row says the same, or its full name holds it. */
function isRepeated(text: string, row: string[], mapping: ImportMapping): boolean {
  if (text === '') return true
  if (!/\p{L}{2}/u.test(text)) return false
  const lowered = text.toLowerCase()
  return mapping.some((field, place) => {
    if (field === null) return false
    const other = (row[place] ?? '').trim().toLowerCase()
    return other === lowered || (field === 'full_name' && ` ${other} `.includes(` ${lowered} `))
  })
}
