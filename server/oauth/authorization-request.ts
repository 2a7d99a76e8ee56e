import { type Scope, scopes } from '#domain/access-token.ts'
import type { Client } from '../backend/grants.ts'
import { hostOf, isRegistered } from './redirect-address.ts'

/** What a program asks for by sending a browser here, after every check. */
export type AuthorizationRequest = {
  client: Client
  redirectUri: string
  state: string | null
  challenge: string
  /** What it may be allowed at most. */
  most: Scope
}

type Read =
  | { request: AuthorizationRequest }
  /**
   * Told to the user alone. Anybody can register an address, so a browser is sent to none before its user has decided
   * (RFC 9700, 4.11.2): a link to us would lead wherever its writer wants.
   */
  | { problem: string; host?: string }

type Parts = {
  query: URLSearchParams
  resource: string
  find: (id: string) => Promise<Client | null>
}

/** Reads what stands in the address of the consent page. */
export async function readAuthorizationRequest({ query, resource, find }: Parts): Promise<Read> {
  const twice = [...query.keys()].find((name) => query.getAll(name).length > 1)
  const only = (name: string) => (name === twice ? null : query.get(name) || null)
  const client = await find(only('client_id') ?? '')
  if (!client) {
    return { problem: 'This app isn’t known here, or no longer. Go back to it and connect again.' }
  }
  const redirectUri = only('redirect_uri') ?? ''
  if (!isRegistered(redirectUri, client.redirect_uris)) {
    return {
      problem:
        'This app wants to send you to an address that it hasn’t registered. Nothing was connected.',
    }
  }
  const state = only('state')
  const refuse = (problem: string) => ({ problem, host: hostOf(redirectUri) })
  if (twice) return refuse(`${twice.slice(0, 40)} is there twice.`)
  if (query.get('response_type') !== 'code') {
    return refuse('Only response_type=code is supported.')
  }
  const challenge = only('code_challenge') ?? ''
  if (only('code_challenge_method') !== 'S256' || !/^[\w-]{43}$/.test(challenge)) {
    return refuse('A code_challenge with the method S256 is required.')
  }
  if (!isResource(only('resource'), resource)) {
    return refuse(`Only ${resource} can be connected here.`)
  }
  // Whoever names no scope that is known leaves the choice to the user.
  const most = furthest(only('scope')) ?? 'write'
  return { request: { client, redirectUri, state, challenge, most } }
}

/** Programs of before RFC 8707 name no resource; there is only one. */
export function isResource(given: string | null, resource: string): boolean {
  return given === null || given === resource
}

/** The furthest of the scopes that are named and known. */
export function furthest(asked: string | null): Scope | null {
  const named = (asked ?? '').split(' ')
  return scopes.findLast((scope) => named.includes(scope)) ?? null
}

/** A scope as OAuth writes it: each holds those before it. */
export function scopeText(scope: Scope): string {
  return scopes.slice(0, scopes.indexOf(scope) + 1).join(' ')
}
