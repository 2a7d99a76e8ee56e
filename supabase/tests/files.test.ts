import { randomBytes, randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { isLong } from '#server/test-length.ts'
import { backUp, sendBackup } from './backup-calls.ts'
import {
  addFile,
  download,
  type FileCard,
  hashOf,
  partSize,
  png,
  sendPart,
  upload,
} from './file-calls.ts'
import { type Account, ok, onAnyDatabase, onEachDatabase } from './harness.ts'
import { add } from './samples.ts'

type Started = { is_whole: boolean; missing: number[] }
type Listed = {
  count: number
  rows: (FileCard & { origin: { id: string } | null })[]
  next: unknown
}

const start = (account: Account, bytes: Buffer, size = bytes.length) =>
  account.client.rpc('start_upload', { sha256: hashOf(bytes), size })

onEachDatabase((database) => {
  test('a file arrives in parts, is continued where it stopped, and comes back byte by byte', async () => {
    const owner = await database().signUp()
    const contact = (await add(owner, 'contacts')).id
    const bytes = randomBytes(2 * partSize + 77)
    expect(await ok(start(owner, bytes))).toEqual({ is_whole: false, missing: [0, 1, 2] })
    expect((await sendPart(owner, bytes, 1)).error).toBeNull()
    const early = { id: randomUUID(), sha256: hashOf(bytes), name: 'a.bin', contact }
    expect(await owner.client.rpc('add_file', early)).toMatchObject({
      status: 409,
      error: { message: 'The file did not arrive whole. Nothing was saved; try again.' },
    })
    expect(await ok(start(owner, bytes))).toEqual({ is_whole: false, missing: [0, 2] })
    // A part sent again changes nothing.
    for (const part of [0, 0, 2]) expect((await sendPart(owner, bytes, part)).error).toBeNull()
    const first = (await ok(owner.client.rpc('add_file', early))) as { file: FileCard }
    expect(first.file).toMatchObject({
      name: 'a.bin',
      size: bytes.length,
      type: 'application/octet-stream',
    })
    // The answer was lost: asked again, it is added once.
    expect(await ok(owner.client.rpc('add_file', early))).toMatchObject({ file: first.file })
    expect(await ok(owner.client.from('files').select('id'))).toEqual([{ id: early.id }])
    expect((await download(owner, first.file)).equals(bytes)).toBe(true)
    // The same content once more needs no bytes and no space.
    expect(await ok(start(owner, bytes))).toEqual({ is_whole: true, missing: [] })
    expect(await ok(owner.client.rpc('file_space'))).toMatchObject({ used: bytes.length })
  })

  test('two windows cannot both take the last free space', async () => {
    const owner = await database().signUp()
    const all = 2048 * partSize
    // Begun and not sent yet counts, or ten begun at once would fill the disk.
    const sizes = Array.from({ length: 81 }, () => 25 * partSize)
    for (const size of sizes) expect((await start(owner, randomBytes(8), size)).error).toBeNull()
    const last = all - 81 * 25 * partSize
    const answers = await Promise.all(
      [1, 2, 3].map(() => start(owner, randomBytes(8), last - 10_000)),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 413, 413])
    expect(answers.find(({ error }) => error)?.error?.message).toMatch(
      /^There is no room for this file: 20\d\d(\.\d)? MB of 2048 MB are used\. Nothing was saved\./,
    )
  })
})

onAnyDatabase((database) => {
  let owner: Account
  let contact: string
  beforeEach(async () => {
    owner = await database().signUp()
    contact = (await add(owner, 'contacts')).id
  })

  const contents = async (account = owner) =>
    (
      await database().query<{ sha256: string }>(
        'select sha256 from private.file_contents where user_id = ?',
        account.id,
      )
    ).map(({ sha256 }) => sha256)
  const batchOf = async (id: string) =>
    (await ok(owner.client.from('changes').select('batch').eq('row_id', id).order('id'))).at(-1)
      ?.batch ?? ''
  const filesOf = async (record: string, id: string, account = owner) =>
    (await ok(account.client.rpc('record_files', { record, id }))) as Listed
  const removeFile = (id: string) => ok(owner.client.from('files').delete().eq('id', id).select())

  describe('what is refused', () => {
    test.each([
      ['an empty file', 0, 'This file is empty. Nothing was saved.'],
      [
        'one that is too large',
        25 * partSize + 1,
        'This file is larger than 25 MB. Nothing was saved.',
      ],
    ])('%s', async (_, size, message) => {
      expect((await start(owner, png, size)).error?.message).toBe(message)
      expect(await contents()).toEqual([])
    })

    test('parts of another size or number than the file has, and what is no base64', async () => {
      const bytes = randomBytes(partSize + 10)
      await ok(start(owner, bytes))
      const sha256 = hashOf(bytes)
      const send = (part: number, reported: string) =>
        owner.client.rpc('add_upload_part', { sha256, part, bytes: reported })
      const whole = bytes.subarray(0, partSize).toString('base64')
      for (const [part, reported] of [
        [1, whole],
        [0, bytes.subarray(0, 10).toString('base64')],
        [2, bytes.subarray(0, 10).toString('base64')],
        [-1, whole],
        [0, '<html>'],
        [0, ''],
      ] as const) {
        expect((await send(part, reported)).status, `${part} ${reported.slice(0, 9)}`).toBe(400)
      }
    })

    test('bytes that do not have the hash: they are dropped, and asked for again', async () => {
      await ok(start(owner, png))
      const forged = Buffer.alloc(png.length, 'x').toString('base64')
      await owner.client.rpc('add_upload_part', { sha256: hashOf(png), part: 0, bytes: forged })
      const file = { id: randomUUID(), sha256: hashOf(png), name: 'a.png', contact }
      expect(await ok(owner.client.rpc('add_file', file))).toEqual({ file: null })
      expect(((await ok(start(owner, png))) as Started).missing).toEqual([0])
      await upload(owner, png)
      expect(await ok(owner.client.rpc('add_file', file))).toMatchObject({
        file: { type: 'image/png' },
      })
    })

    test('another size than its hash had before', async () => {
      await addFile(owner, { contact })
      expect((await start(owner, png, 5)).status).toBe(400)
    })

    test('a row without a content, and a size or type of one’s own', async () => {
      const row = { user_id: owner.id, name: 'a', contact_id: contact, sha256: hashOf(png) }
      expect((await owner.client.from('files').insert(row)).status).toBe(409)
      await upload(owner, png)
      // Arrived, but not looked at yet.
      expect((await owner.client.from('files').insert(row)).status).toBe(409)
      const { file } = await addFile(owner, { contact })
      for (const forged of [
        { size: 1 },
        { type: 'text/html' },
        { sha256: 'x' },
        { note_id: null },
      ]) {
        const { status } = await owner.client
          .from('files')
          .update(forged as never)
          .eq('id', file.id)
        expect(status).toBe(403)
      }
      expect(
        (await owner.client.from('files').insert({ ...row, type: 'text/html' } as never)).status,
      ).toBe(403)
    })

    test('a file on no record, on two, or on one that is gone', async () => {
      const sha256 = await upload(owner, png)
      const send = (place: object) =>
        owner.client.rpc('add_file', { id: randomUUID(), sha256, name: 'a', ...place })
      expect((await send({})).status).toBe(400)
      expect((await send({ contact, company: contact })).status).toBe(400)
      expect((await send({ contact: randomUUID() })).status).toBe(409)
      expect((await send({ note: randomUUID() })).status).toBe(404)
      // A note of another account is none.
      const theirs = await database().signUp()
      const { id: note } = await add(theirs, 'notes')
      expect((await send({ note })).status).toBe(404)
    })
  })
  test('nobody else reads or uses what a file holds, not even by its hash', async () => {
    const { file } = await addFile(owner, { contact })
    const other = await database().signUp()
    const theirs = (await add(other, 'contacts')).id
    const read = await other.client.rpc('file_part', { sha256: file.sha256, part: 0 })
    expect(read).toMatchObject({ data: null, error: null })
    // Whoever knows the hash alone must send the bytes.
    expect(await ok(start(other, png))).toEqual({ is_whole: false, missing: [0] })
    const row = { user_id: other.id, name: 'a', contact_id: theirs, sha256: file.sha256 }
    expect((await other.client.from('files').insert(row)).status).toBe(409)
    const id = { id: file.id, sha256: file.sha256, name: 'a', contact: theirs }
    expect((await other.client.rpc('add_file', id)).status).toBe(409)
    expect(await filesOf('contact', contact, other)).toMatchObject({ count: 0, rows: [] })
    expect(await ok(other.client.rpc('backup_contents'))).toEqual([])
  })

  test('what it is, is told by its first bytes', async () => {
    const kinds: [string, Buffer | string, string][] = [
      ['a.png', png, 'image/png'],
      ['a.txt', Buffer.from('ffd8ffe000104a46', 'hex'), 'image/jpeg'],
      ['a.gif', 'GIF89a……', 'image/gif'],
      ['a.webp', 'RIFF\u0001\u0001\u0001\u0001WEBPVP8 ', 'image/webp'],
      ['a.avif', '\u0000\u0000\u0000\u001cftypavif', 'image/avif'],
      ['a.pdf', '%PDF-1.7\n', 'application/pdf'],
      ['html as.png', '<html><script>alert(1)</script>', 'application/octet-stream'],
      ['a.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'application/octet-stream'],
      ['html before.pdf', '<script>1</script>%PDF-1.7', 'application/octet-stream'],
      ['short', '%', 'application/octet-stream'],
      // Begins as a picture, goes on as a page: it is only ever drawn as a picture.
      ['both.png', Buffer.concat([png, Buffer.from('<script>')]), 'image/png'],
    ]
    for (const [name, reported, type] of kinds) {
      const bytes = Buffer.from(reported as string)
      expect((await addFile(owner, { contact }, { name, bytes })).file.type, name).toBe(type)
    }
  })

  test('names can be saved anywhere and read as they are', async () => {
    const names: [string, string][] = [
      ['offer.pdf', 'offer.pdf'],
      ['../../etc/passwd', 'passwd'],
      ['C:\\Users\\Ada\\Angebot für Zürich.pdf', 'Angebot für Zürich.pdf'],
      ['invoice\u202efdp.exe', 'invoicefdp.exe'],
      ['a\u0007b\r\nc\u200b.txt', 'abc.txt'],
      ['  two   words .txt. . ', 'two words .txt'],
      ['..', 'File'],
      ['', 'File'],
      ['.env', '.env'],
      ['عرض.pdf', 'عرض.pdf'],
      [`${'x'.repeat(400)}.pdf`, `${'x'.repeat(251)}.pdf`],
    ]
    const { file } = await addFile(owner, { contact })
    for (const [name, clean] of names) {
      const rename = owner.client.from('files').update({ name }).eq('id', file.id)
      expect(await ok(rename.select('name')), name).toEqual([{ name: clean }])
    }
  })

  describe('stories', () => {
    test('a contact shows the files of its deals, a company those of both, each with where it is from', async () => {
      const company = (await add(owner, 'companies')).id
      await ok(
        owner.client.from('contacts').update({ company_id: company }).eq('id', contact).select(),
      )
      const deal = (await add(owner, 'deals', { contact_id: contact, company_id: company })).id
      const note = (await add(owner, 'notes', { contact_id: contact })).id
      for (const place of [{ contact }, { company }, { deal }, { note }])
        await addFile(owner, place)
      const origins = async (record: string, id: string) =>
        (await filesOf(record, id)).rows.map(({ origin }) => origin?.id ?? null)
      expect(await origins('deal', deal)).toEqual([null])
      expect(await origins('contact', contact)).toEqual([null, deal, null])
      expect(await origins('company', company)).toEqual([contact, deal, null, contact])
      const page = { record: 'company', id: company, page_size: 3 }
      const first = (await ok(owner.client.rpc('record_files', page))) as Listed
      const rest = await ok(
        owner.client.rpc('record_files', { ...page, after: first.next as never }),
      )
      expect([first.count, first.rows.length, (rest as Listed).rows.length]).toEqual([4, 3, 1])
      expect((rest as Listed).next).toBeNull()
      const timeline = (await ok(
        owner.client.rpc('record_timeline', { record: 'contact', id: contact }),
      )) as {
        table_name?: string
        label?: string
      }[]
      expect(timeline.filter((entry) => entry.table_name === 'files')).toHaveLength(3)
    })

    test('who stays of a merge has the files of all, also those of notes; and an undo gives them back', async () => {
      const twin = await add(owner, 'contacts')
      const note = (await add(owner, 'notes', { contact_id: twin.id })).id
      await addFile(owner, { contact: twin.id })
      await addFile(owner, { note })
      const rows = await ok(owner.client.from('contacts').select('id, updated_at'))
      const seen = Object.fromEntries(rows.map(({ id, updated_at }) => [id, updated_at]))
      const merged = await ok(owner.client.rpc('merge_contacts', { keep: contact, seen }))
      expect(await filesOf('contact', contact)).toMatchObject({ count: 2 })
      await ok(owner.client.rpc('undo_batch', { batch: (merged as { batch: string }).batch }))
      expect([
        (await filesOf('contact', contact)).count,
        (await filesOf('contact', twin.id)).count,
      ]).toEqual([0, 2])
    })

    test('companies are merged with their files', async () => {
      const [keep, gone] = [(await add(owner, 'companies')).id, (await add(owner, 'companies')).id]
      await addFile(owner, { company: gone })
      const rows = await ok(owner.client.from('companies').select('id, updated_at'))
      const seen = Object.fromEntries(rows.map(({ id, updated_at }) => [id, updated_at]))
      await ok(owner.client.rpc('merge_companies', { keep, seen }))
      expect(await filesOf('company', keep)).toMatchObject({ count: 1 })
    })

    test('the search finds a file by its name, and tells where it is', async () => {
      await addFile(owner, { contact }, { name: 'Angebot Zürich.pdf' })
      expect(await ok(owner.client.rpc('search_everything', { words: 'zurich' }))).toMatchObject([
        {
          kind: 'files',
          title: 'Angebot Zürich.pdf',
          about: 'Ada',
          of: { record: 'contact', id: contact },
        },
      ])
    })
  })

  describe('the trash', () => {
    test('keeps what a deleted file held, until it is removed for good', async () => {
      const { file } = await addFile(owner, { contact })
      await removeFile(file.id)
      await ok(owner.client.rpc('undo_batch', { batch: await batchOf(file.id) }))
      expect((await download(owner, file)).equals(png)).toBe(true)
      await removeFile(file.id)
      expect(await contents()).toEqual([file.sha256])
      await ok(owner.client.rpc('remove_for_good', { filter: {} }))
      expect(await contents()).toEqual([])
    })

    test('lets go of it after thirty days; what another file holds stays', async () => {
      const [one, other] = [await addFile(owner, { contact }), await addFile(owner, { contact })]
      const text = await addFile(owner, { contact }, { bytes: Buffer.from('only once') })
      await removeFile(one.file.id)
      await removeFile(text.file.id)
      await database().query(
        "update public.changes set created_at = now() - interval '31 days' where user_id = ?",
        owner.id,
      )
      await database().query('select private.erase_expired_of(?::uuid)', owner.id)
      expect(await contents()).toEqual([other.file.sha256])
      expect(
        await database().query('select from private.file_parts where user_id = ?', owner.id),
      ).toHaveLength(1)
    })

    test('brings a contact back with its notes and the files of both', async () => {
      const note = (await add(owner, 'notes', { contact_id: contact })).id
      await addFile(owner, { contact })
      await addFile(owner, { note })
      await ok(owner.client.from('contacts').delete().eq('id', contact).select())
      const trash = (await ok(owner.client.rpc('trash_page'))) as { rows: { kind: string }[] }
      expect(trash.rows.map(({ kind }) => kind)).toEqual(['contacts'])
      const back = await ok(owner.client.rpc('restore_deleted', { batch: await batchOf(contact) }))
      expect(back).toMatchObject({ restored: 1, conflicts: [] })
      const { rows } = await filesOf('contact', contact)
      expect(rows.map((row) => row.note_id).sort()).toEqual([note, null].sort())
    })

    test('an upload that was given up goes a day later', async () => {
      await ok(start(owner, randomBytes(10)))
      const { file } = await addFile(owner, { contact })
      await database().query(
        "update private.file_contents set touched_at = now() - interval '25 hours' where user_id = ?",
        owner.id,
      )
      await database().query('select private.drop_loose_contents()')
      expect(await contents()).toEqual([file.sha256])
    })
  })

  describe('backups', () => {
    /** As the browser does: what files hold first. */
    async function restoreInto(account: Account, parts: Awaited<ReturnType<typeof backUp>>) {
      const held = (await ok(owner.client.rpc('backup_contents'))) as FileCard[]
      for (const each of held) {
        const sha256 = await upload(account, await download(owner, each))
        expect(await ok(account.client.rpc('finish_upload', { sha256 }))).toBe(true)
      }
      return sendBackup(account, parts, { account: owner.id, version: 3 })
    }

    test('bring files to another account, those in the trash too', async () => {
      const note = (await add(owner, 'notes', { contact_id: contact })).id
      await addFile(owner, { note }, { name: 'note.png' })
      const { file } = await addFile(
        owner,
        { contact },
        { bytes: Buffer.from('gone'), name: 'gone.txt' },
      )
      await removeFile(file.id)
      const parts = await backUp(owner)
      const other = await database().signUp()
      const { data, error } = await restoreInto(other, parts)
      expect(error).toBeNull()
      expect(data).toMatchObject({ counts: { files: { added: 1 } }, lost: 0 })
      const [row] = await ok(other.client.from('files').select('name, type, size, notes(body)'))
      expect(row).toEqual({
        name: 'note.png',
        type: 'image/png',
        size: png.length,
        notes: { body: 'Likes tea' },
      })
      const trash = (await ok(other.client.rpc('trash_page'))) as {
        rows: { batch: string; name: string }[]
      }
      const [gone] = trash.rows.filter(({ name }) => name === 'gone.txt')
      const back = await ok(other.client.rpc('restore_deleted', { batch: gone?.batch ?? '' }))
      expect(back).toMatchObject({ restored: 1 })
    })

    test('without what a file holds are refused whole', async () => {
      await addFile(owner, { contact }, { name: 'lost.png' })
      const other = await database().signUp()
      const answer = await sendBackup(other, await backUp(owner), {
        account: owner.id,
        version: 3,
        lacksContents: true,
      })
      expect(answer.error?.message).toBe(
        'What the file “lost.png” holds is not there. Nothing was saved; add the file again.',
      )
      expect(await ok(other.client.from('contacts').select('id'))).toEqual([])
    })
  })

  test('many small files of one record are listed page by page', async () => {
    const more = isLong ? 10_000 : 300
    await addFile(owner, { contact })
    await database().query(
      `insert into public.files (user_id, name, sha256, contact_id)
       select ?::uuid, 'File ' || n, ?, ?::uuid from generate_series(1, ?::int) n`,
      owner.id,
      hashOf(png),
      contact,
      more,
    )
    const { count, rows } = await filesOf('contact', contact)
    expect([count, rows.length]).toEqual([more + 1, 200])
  })
})
