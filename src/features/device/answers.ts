import { dealOrder } from '#domain/fields/deals.ts'
import { taskOrder } from '#domain/fields/tasks.ts'
import type { Recalled } from '#lib/device-answers.ts'
import { type Asked, idOf, orderOf, pageOf } from './asked.ts'
import { companyChoices } from './company-answers.ts'
import { contactPage, contactsFound } from './contact-answers.ts'
import { board, figuresOf, ofDeals } from './deal-answers.ts'
import { loadList } from './kept-data.ts'
import { search } from './search-answer.ts'
import { ofTasks } from './task-answers.ts'

/**
 * Answers the reads of lists, boards and searches by what this device keeps; null where it cannot, such as for a filter
 * by what it does not know.
 */
export async function answerOf(
  account: string,
  name: string,
  asked: Asked,
): Promise<Recalled | null> {
  const answer = answers[name]
  return answer ? answer(account, asked) : null
}

const answers: Record<string, (account: string, asked: Asked) => Promise<Recalled | null>> = {
  contact_page: contactPage,
  contact_count: async (account, asked) => {
    const found = await contactsFound(account, asked)
    return found && { answer: found.rows.length, at: found.kept.at }
  },
  company_page: companyChoices,
  deal_page: (account, asked) =>
    ofDeals(account, asked, (rows) => {
      const order = orderOf(
        (sort: Parameters<typeof dealOrder>[0], down) => dealOrder(sort, down, []),
        asked,
      )
      return pageOf(rows.toSorted(order), asked, idOf)
    }),
  deal_totals: (account, asked) => ofDeals(account, asked, figuresOf),
  deal_board: board,
  pipeline_list: async (account) => {
    const kept = await loadList(account, 'pipelines')
    return kept && { answer: kept.rows, at: kept.at }
  },
  task_page: (account, asked) =>
    ofTasks(account, asked, (rows) =>
      pageOf(rows.toSorted(orderOf(taskOrder, asked)), asked, idOf),
    ),
  task_count: (account, asked) => ofTasks(account, asked, ({ length }) => length),
  search_everything: search,
}
