import type { Context, Hono } from 'hono'
import { scopes } from '#domain/access-token.ts'
import type { HttpEnv } from '../http-env.ts'
import { messagePage } from '../plain-page.ts'
import { resourceOf } from './addresses.ts'
import { type OauthOptions, readForm, secret, sendPage } from './answers.ts'
import { type AuthorizationRequest, readAuthorizationRequest } from './authorization-request.ts'
import { consentPage, returnPage } from './consent-page.ts'
import { hostOf, withParameters } from './redirect-address.ts'

/** The page on which the user decides, and where it leads. */
export function addConsent(
  routes: Hono<HttpEnv>,
  { settings, grants, signIn }: OauthOptions,
): void {
  const { publicUrl } = settings
  const resource = resourceOf(settings)

  /** Goes on with a request that can be shown, and answers any other. */
  async function withRequest(
    c: Context<HttpEnv>,
    goOn: (request: AuthorizationRequest) => Promise<Response> | Response,
  ): Promise<Response> {
    const query = new URL(c.req.url).searchParams
    const read = await readAuthorizationRequest({ query, resource, find: grants.client })
    if ('problem' in read) return sendPage(c, 400, messagePage('Not connected', read.problem))
    if ('request' in read) return goOn(read.request)
    const { redirectUri, state, error, description } = read
    const told = { error, error_description: description }
    return c.redirect(answerAddress(redirectUri, state, told), 303)
  }

  function answerAddress(to: string, state: string | null, told: Record<string, string>): string {
    return withParameters(to, { ...told, ...(state === null ? {} : { state }), iss: publicUrl })
  }

  routes.get('/oauth/authorize', (c) =>
    withRequest(c, (request) => sendPage(c, 200, consentPage({ request }))),
  )

  routes.post('/oauth/authorize', (c) =>
    withRequest(c, async (request) => {
      const { client, redirectUri, state, challenge, most } = request
      // Another site must decide nothing for the user, not even in its own account.
      if (!isOwnForm(c, publicUrl)) {
        const words = 'This answer didn’t come from our page. Go back to the app and connect again.'
        return sendPage(c, 403, messagePage('Not connected', words))
      }
      const form = await readForm(c)
      if (form?.get('decision') === 'deny') {
        const told = { error: 'access_denied' }
        const back = answerAddress(redirectUri, state, told)
        return sendPage(c, 200, returnPage(back, 'Not connected'))
      }
      const wanted = scopes.find((scope) => scope === form?.get('scope'))
      if (!form || !wanted || scopes.indexOf(wanted) > scopes.indexOf(most)) {
        const problem = 'Choose what it may do. Nothing was connected yet.'
        return sendPage(c, 422, consentPage({ request, problem }))
      }
      const [email, password] = [form.get('email') ?? '', form.get('password') ?? '']
      const again = { request, chosen: { scope: wanted, email } }
      const signedIn = await signIn(c, email.trim(), password)
      if ('problem' in signedIn) {
        return sendPage(c, signedIn.status, consentPage({ ...again, problem: signedIn.problem }))
      }
      const code = secret('solo_code_')
      const isAllowed = await grants.allow({
        account: signedIn.account,
        client: client.id,
        host: hostOf(redirectUri),
        scope: wanted,
        redirectUri,
        challenge,
        code,
      })
      if (!isAllowed) {
        const problem =
          'There are 100 connections already. Nothing was connected; remove one in Settings, Connections.'
        return sendPage(c, 409, consentPage({ ...again, problem }))
      }
      const back = answerAddress(redirectUri, state, { code })
      return sendPage(c, 200, returnPage(back, 'Connected'))
    }),
  )
}

/** Browsers say where a form comes from; the page lets them (`Referrer-Policy: same-origin`). */
function isOwnForm(c: Context, publicUrl: string): boolean {
  const site = c.req.header('sec-fetch-site')
  return site === undefined ? c.req.header('origin') === publicUrl : site === 'same-origin'
}
