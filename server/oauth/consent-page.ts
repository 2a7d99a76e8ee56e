import { html, raw } from 'hono/html'
import { type Scope, scopes, scopeWords } from '#domain/access-token.ts'
import { plainPage } from '../plain-page.ts'
import type { AuthorizationRequest } from './authorization-request.ts'
import { hostOf } from './redirect-address.ts'

type ConsentPage = {
  request: AuthorizationRequest
  /** What was chosen and typed, where it could not be taken. */
  chosen?: { scope: Scope; email: string }
  problem?: string
}

/** Asks the owner of an account what a program may do in it. It needs no script and sets no cookie: the password is the proof. */
export function consentPage({ request, chosen, problem }: ConsentPage) {
  const { client, redirectUri, most } = request
  const offered = scopes.slice(0, scopes.indexOf(most) + 1)
  const preset = chosen?.scope ?? (offered.includes('propose') ? 'propose' : 'read')
  const title = `Connect ${client.name}?`
  return plainPage(
    title,
    html`<h1>Connect <bdi>${client.name}</bdi>?</h1>
      <p class="intro">It wants to work in your account. Continue only if you started this yourself.</p>
      ${problem ? html`<p class="problem" role="alert">${problem}</p>` : ''}
      <dl class="facts">
        <dt>It calls itself</dt>
        <dd><bdi>${client.name}</bdi> <span class="mark">(not verified)</span></dd>
        <dt>You return to</dt>
        <dd>${hostOf(redirectUri)}</dd>
      </dl>
      <form method="post">
        <fieldset><legend>Permissions</legend>
          ${offered.map(
            (scope) =>
              html`<label class="choice"><input type="radio" name="scope" value="${scope}" ${raw(scope === preset ? 'checked' : '')}>${scopeWords[scope].name}<span>${scopeWords[scope].about}</span></label>`,
          )}
        </fieldset>
        <div><label for="email">Email</label>
          <input id="email" name="email" type="email" autocomplete="username" maxlength="320" required value="${chosen?.email ?? ''}"></div>
        <div><label for="password">Password</label>
          <input id="password" name="password" type="password" autocomplete="current-password" maxlength="1000" required></div>
        <div class="buttons">
          <button type="submit" name="decision" value="allow">Allow</button>
          <button type="submit" name="decision" value="deny" class="plain" formnovalidate>Cancel</button>
        </div>
      </form>
      <p class="note">You can revoke this at any time in Settings, Connections.</p>`,
    { foot: 'Solo CRM' },
  )
}

/** Why nothing can be connected, and who asked for it, as far as that is known. It leads nowhere. */
export function refusalPage({ problem, host }: { problem: string; host?: string }) {
  return plainPage(
    'Not connected',
    html`<h1>Not connected</h1>
      ${host ? html`<p class="intro">An app at ${host} asked for something that isn’t given here. Nothing was connected. Go back to it, and tell its makers what stands below.</p>` : ''}
      <p class="${host ? 'problem' : 'intro'}">${problem}</p>`,
    { foot: 'Solo CRM' },
  )
}

/**
 * Sends the browser back to the program. By navigation, not by a redirect: the answer to a form may lead nowhere but to
 * us (`form-action 'self'`).
 */
export function returnPage(address: string, words: string) {
  return plainPage(
    words,
    html`<h1>${words}</h1>
      <p class="intro">You’re on your way to ${hostOf(address)}. <a href="${address}">Continue</a></p>`,
    // The address is the last thing in it, so nothing in the address can end it.
    { head: html`<meta http-equiv="refresh" content="0;url=${address}">`, foot: 'Solo CRM' },
  )
}
