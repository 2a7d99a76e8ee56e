import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Sql } from 'postgres'

export type HostedAdmin = {
  address: string
  serviceKey: string
  /** Answers every request with this status from now on; null as usual. */
  failWith(status: number | null): void
  stop(): Promise<void>
}

/**
 * The administrator's interface of a hosted project to its accounts, as far as a move uses it: it keeps the id and the
 * hash that it is given, adds what it knows itself, and takes nothing without the secret key.
 */
export async function startHostedAdmin(sql: Sql): Promise<HostedAdmin> {
  const serviceKey = `sb_secret_${randomUUID()}`
  let failure: number | null = null
  async function answer(method: string, path: string, body: string): Promise<[number, unknown]> {
    if (failure) return [failure, { msg: 'away' }]
    if (method === 'GET') {
      return [200, { users: [...(await sql`select id, email from auth.users limit 1`)] }]
    }
    if (method === 'DELETE') {
      const gone =
        await sql`delete from auth.users where id = ${path.split('/').at(-1) ?? ''} returning id`
      return gone.length > 0 ? [200, {}] : [404, { msg: 'User not found' }]
    }
    const user = JSON.parse(body)
    if (!/^\$(2[aby]|argon2)/.test(user.password_hash)) return [400, { msg: 'Invalid hash' }]
    const email = String(user.email).toLowerCase()
    const taken = await sql`select from auth.users where lower(email) = ${email} or id = ${user.id}`
    if (taken.length > 0) return [422, { msg: 'Already registered', error_code: 'email_exists' }]
    const metadata = {
      ...user.user_metadata,
      ...(user.email_confirm ? { email_verified: true } : {}),
    }
    await sql`insert into auth.users (id, email, encrypted_password, email_confirmed_at, raw_user_meta_data, raw_app_meta_data)
      values (${user.id}, ${email}, ${user.password_hash}, ${user.email_confirm ? new Date() : null},
        ${sql.json(metadata)}, ${sql.json({ ...user.app_metadata, providers: ['email'] })})`
    await sql`insert into auth.identities (id, provider, provider_id, user_id, identity_data)
      values (${randomUUID()}, 'email', ${user.id}, ${user.id}, ${sql.json({ email, sub: user.id })})`
    return [200, { id: user.id, email }]
  }
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const part of request) body += part
    const { method = '', url: path = '', headers } = request
    const isOurs = path.startsWith('/auth/v1/admin/users')
    const isAllowed = headers.authorization === `Bearer ${serviceKey}`
    const [status, reported] = !isOurs
      ? [404, {}]
      : isAllowed
        ? await answer(method, path.replace(/\?.*/, ''), body)
        : [401, { message: 'Invalid API key' }]
    response.writeHead(Number(status), { 'content-type': 'application/json' })
    response.end(JSON.stringify(reported))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    serviceKey,
    failWith(status) {
      failure = status
    },
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
