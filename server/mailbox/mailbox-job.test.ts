import { EventEmitter } from 'node:events'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { untilNews } from './mailbox-job.ts'

// What is read, and when, is tested with a real Dovecot: supabase/tests/mailbox.test.ts.

test('the wait for news ends when it is time to look, though memory was tidied meanwhile', async () => {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  const news = untilNews(new EventEmitter(), { wake() {} }, new AbortController().signal, 100)
  const tidying = setInterval(collect, 20)
  await expect(news.finally(() => clearInterval(tidying))).resolves.toBeUndefined()
}, 2000)
