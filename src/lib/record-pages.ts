import { keepPreviousData, type QueryKey, useQuery } from '@tanstack/react-query'
import type { z } from 'zod/mini'
import { exactMatch, foundByName, likeliestFirst } from '#domain/choices.ts'
import { pageOf } from './answers.ts'
import type { Json } from './database.types.ts'
import type { Page } from './list-source.ts'
import { callForJson } from './supabase.ts'

type PageFunction = 'company_page' | 'contact_page' | 'deal_page' | 'task_page'

type PageArguments = {
  filter: Json
  sort?: string
  descending?: boolean
  after?: Json
  page_size: number
}

/** Reads records by their page function in the database. */
export function recordPages<Row>(name: PageFunction, row: z.ZodMiniType<Row>) {
  const page = pageOf(row)

  function read(args: PageArguments, signal?: AbortSignal): Promise<Page<Row>> {
    return callForJson(name, args, page, signal)
  }

  return {
    read,

    /** One record as it is now, or null when there is none. */
    async one(id: string, signal?: AbortSignal): Promise<Row | null> {
      const { rows } = await read({ filter: { ids: [id] }, page_size: 1 }, signal)
      return rows[0] ?? null
    },

    /** Every record that a view shows, a thousand at a time. */
    async *all(view: Pick<PageArguments, 'filter' | 'sort' | 'descending'>): AsyncGenerator<Row[]> {
      let after: Json | null = null
      do {
        const page: Page<Row> = await read({ ...view, after, page_size: 1000 })
        yield page.rows
        after = page.next
      } while (after !== null)
    },
  }
}

type NamedPages<Row> = {
  source: { key: QueryKey; failed: string }
  pages: ReturnType<typeof recordPages<Row>>
  nameOf: (row: Row) => string
}

type ChoiceOptions = {
  /** A filter in addition to the search. */
  filter?: { [key: string]: Json }
  /** Further choices that are not records; they are searched too. */
  fixed?: { id: string; label: string }[]
}

/** Searches records by name, for a field that chooses one. */
export function useChoices<Row extends { id: string }>(
  { source, pages, nameOf }: NamedPages<Row>,
  search: string,
  { filter = {}, fixed = [] }: ChoiceOptions = {},
) {
  const wanted = { ...filter, ...(search ? { search } : {}) }
  const { data, isFetching, isPlaceholderData, isError } = useQuery({
    queryKey: [...source.key, 'choices', wanted],
    queryFn: ({ signal }) =>
      pages.read({ filter: wanted, sort: 'name', descending: false, page_size: 20 }, signal),
    placeholderData: keepPreviousData,
    meta: { failed: source.failed },
  })
  const records = (data?.rows ?? []).map((row) => ({ id: row.id, label: nameOf(row) }))
  const choices = [...foundByName(fixed, search), ...records]
  return {
    choices: search ? likeliestFirst(choices, search) : choices,
    exact: exactMatch(choices, search),
    // Placeholder data belongs to the search before.
    isLoading: isFetching || isPlaceholderData,
    hasFailed: isError,
  }
}

type NameReader = (id: string, signal: AbortSignal) => Promise<string>

/** Reads the name of a record by its id; `gone` stands for one that was deleted. */
export function nameReader<Row>(
  { pages, nameOf }: Pick<NamedPages<Row>, 'pages' | 'nameOf'>,
  gone: string,
): NameReader {
  return async (id, signal) => {
    const row = await pages.one(id, signal)
    return row ? nameOf(row) : gone
  }
}

/** The name of a record by its id. Most lists are not filtered by one: what reads it is loaded with the first id. */
export function useNameOf(
  key: QueryKey,
  id: string | undefined,
  load: () => Promise<NameReader>,
): string | undefined {
  const { data } = useQuery({
    queryKey: [...key, 'name', id],
    async queryFn({ signal }) {
      const read = await load()
      return read(id ?? '', signal)
    },
    enabled: id !== undefined && id !== 'none',
  })
  return data
}
