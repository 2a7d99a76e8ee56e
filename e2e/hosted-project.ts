import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { type WebSocket, WebSocketServer } from 'ws'
import { readMessage, writeBroadcast, writeReply } from '#server/live/phoenix.ts'
import { startBuiltServerOn } from '../scripts/built-product.ts'
import { startPostgres } from '../supabase/tests/postgres-server.ts'
import { freePort } from './free-port.ts'

/** What the platform has before our migrations: its roles, and channels that are sent to in SQL. */
const platform = `
  create role solo_owner login createrole;
  create role authenticator login noinherit;
  create role anon nologin noinherit;
  create role authenticated nologin noinherit;
  create role service_role nologin noinherit bypassrls;
  grant anon, authenticated, service_role to solo_owner, authenticator with admin option;
  create database project owner solo_owner;`

const channels = `
  create schema realtime;
  create table realtime.messages (
    id bigserial, topic text, extension text, payload jsonb, event text, private boolean);
  alter table realtime.messages enable row level security;
  alter table realtime.messages owner to solo_owner;
  grant select on realtime.messages to authenticated;
  create function realtime.topic() returns text language sql stable
    as $$ select nullif(current_setting('realtime.topic', true), '') $$;
  create function realtime.send(payload jsonb, event text, topic text, private boolean default true)
    returns void language sql security definer as $$
      insert into realtime.messages (topic, extension, payload, event, private)
        values (topic, 'broadcast', payload, event, private);
      select pg_notify('platform_messages',
        jsonb_build_object('topic', topic, 'event', event, 'payload', payload)::text)
    $$;
  grant usage on schema realtime to solo_owner, authenticated;`

/**
 * The rights of the platform's service for accounts. Our server uses one connection for accounts and data, so the user of
 * that connection gets them; requests for data change to a role with fewer rights first.
 */
const accounts = `
  grant create on database project to authenticator;
  grant all on schema auth, supabase_migrations, solo_server, private to authenticator;
  do $$
  declare each regclass;
  begin
    for each in
      select oid from pg_class where relkind = 'r'
        and relnamespace in (to_regnamespace('auth'), to_regnamespace('supabase_migrations'), to_regnamespace('solo_server'))
    loop
      execute format('alter table %s owner to authenticator', each);
      execute format('grant all on %s to solo_owner', each);
    end loop;
  end $$;
  -- It learns of the tables from what it may use itself, and looks after what has expired.
  grant all on all tables in schema public, private to authenticator;
  grant execute on all functions in schema private to authenticator;
  alter role authenticator bypassrls;`

export type HostedProject = {
  /** What SUPABASE_URL and SUPABASE_ANON_KEY are set to. */
  url: string
  key: string
  /** Kills the service for accounts and data, cuts all sockets, and starts again. */
  restart(): Promise<void>
  stop(): Promise<void>
}

/**
 * A project as Supabase hosts it, as far as the page can tell: another origin, requests for data by the role
 * `authenticator`, and private channels that the policy on `realtime.messages` guards. Our own server stands behind it
 * for accounts and data. Null where no PostgreSQL is installed.
 */
export async function startHostedProject(): Promise<HostedProject | null> {
  const server = await startPostgres()
  if (!server) return null
  const admin = postgres(server.url, { max: 1, onnotice: () => {} })
  for (const statement of platform.split(';\n')) await admin.unsafe(statement)
  await admin.end()
  const at = (user: string) => {
    const url = new URL(server.url)
    url.username = user
    url.pathname = '/project'
    return url.href
  }
  const sql = postgres(at('admin'), { max: 4, onnotice: () => {} })
  await sql.unsafe(channels)
  const folder = mkdtempSync(join(tmpdir(), 'solo-hosted-'))
  // The owner of the project brings the schema; whoever asks later is another.
  await (await startBuiltServerOn(folder, { DATABASE_URL: at('solo_owner') })).stop()
  await sql.unsafe(accounts)
  const settings = {
    DATABASE_URL: at('authenticator'),
    PORT: String(await freePort()),
    RATE_LIMIT_SIGN_UP: '1000',
  }
  let service = await startBuiltServerOn(folder, settings)
  const front = await startFront(service.address, sql)
  return {
    url: front.url,
    key: await publicKey(service.address),
    async restart() {
      process.kill(service.pid, 'SIGKILL')
      front.cut()
      service = await startBuiltServerOn(folder, settings)
    },
    async stop() {
      await front.stop()
      await service.stop()
      await sql.end()
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The key that a server tells in its pages. */
export async function publicKey(address: string): Promise<string> {
  const html = await (await fetch(`${address}/auth`)).text()
  const [, settings = ''] = /id="settings">([^<]*)</.exec(html) ?? []
  return JSON.parse(settings).supabaseKey
}

/** Answers pages of every origin, as the platform does, and serves the channels. */
async function startFront(service: string, sql: postgres.Sql) {
  const server = createServer((request, response) => {
    forward(service, request, response).catch(() => response.destroy())
  })
  const sockets = new WebSocketServer({ server, path: '/realtime/v1/websocket' })
  const joined = new Map<WebSocket, Set<string>>()
  sockets.on('connection', (socket) => {
    joined.set(socket, new Set())
    socket.on('close', () => joined.delete(socket))
    socket.on('message', async (data) => {
      const message = readMessage(data.toString())
      if (!message) return socket.close()
      if (message.event === 'phx_join') {
        const { access_token } = message.payload as { access_token?: string }
        const isAllowed = await mayHear(service, sql, access_token ?? '', message.topic).catch(
          () => false,
        )
        if (isAllowed) joined.get(socket)?.add(message.topic)
        socket.send(writeReply(message, isAllowed ? undefined : 'Unauthorized'))
      } else socket.send(writeReply(message))
    })
  })
  await sql.listen('platform_messages', (text) => {
    const { topic, event, payload } = JSON.parse(text)
    for (const [socket, topics] of joined) {
      if (topics.has(`realtime:${topic}`))
        socket.send(writeBroadcast(`realtime:${topic}`, event, payload))
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut() {
      for (const socket of sockets.clients) socket.terminate()
    },
    async stop() {
      for (const socket of sockets.clients) socket.terminate()
      sockets.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** As the platform decides: whether the policies let this account read a message of the topic. */
async function mayHear(
  service: string,
  sql: postgres.Sql,
  token: string,
  channel: string,
): Promise<boolean> {
  const topic = channel.replace(/^realtime:/, '')
  const answer = await fetch(`${service}/auth/v1/user`, {
    headers: { Authorization: `Bearer ${token}`, apikey: await publicKey(service) },
  })
  if (!answer.ok) return false
  const { id } = (await answer.json()) as { id: string }
  const claims = JSON.stringify({ sub: id, role: 'authenticated' })
  let isAllowed = false
  await sql
    .begin(async (probe) => {
      await probe`insert into realtime.messages (topic, extension) values (${topic}, 'broadcast')`
      await probe`select set_config('realtime.topic', ${topic}, true),
        set_config('request.jwt.claims', ${claims}, true), set_config('request.jwt.claim.sub', ${id}, true)`
      await probe`set local role authenticated`
      isAllowed = (await probe`select from realtime.messages limit 1`).length > 0
      throw new Error('Nothing of the probe stays.')
    })
    .catch(() => {})
  return isAllowed
}

async function forward(
  address: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const anybody = {
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Allow-Headers': request.headers['access-control-request-headers'] ?? '*',
    'Access-Control-Allow-Methods': 'GET, POST, PATCH, PUT, DELETE, HEAD, OPTIONS',
    'Access-Control-Expose-Headers': 'Content-Range, X-Supabase-Api-Version',
  }
  if (request.method === 'OPTIONS') {
    response.writeHead(204, anybody).end()
    return
  }
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part)
  const { host, origin, connection, 'content-length': length, ...headers } = request.headers
  for (const name of Object.keys(headers)) if (/^(sec-|referer)/.test(name)) delete headers[name]
  const answer = await fetch(`${address}${request.url}`, {
    method: request.method ?? 'GET',
    headers: headers as Record<string, string>,
    redirect: 'manual',
    ...(parts.length > 0 ? { body: Buffer.concat(parts) } : {}),
  })
  const passed = Object.fromEntries(
    [...answer.headers].filter(
      ([name]) => !/^(content-(encoding|length)|access-|cross-)/.test(name),
    ),
  )
  response.writeHead(answer.status, { ...passed, ...anybody })
  response.end(Buffer.from(await answer.arrayBuffer()))
}
