import { type Context, Hono } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { scopes } from '#domain/access-token.ts'
import type { Grants } from '../backend/grants.ts'
import type { HttpEnv } from '../http-env.ts'
import { messagePage } from '../plain-page.ts'
import type { Settings } from '../settings.ts'
import { resourceOf } from './addresses.ts'
import { readForm, sendPage } from './answers.ts'
import { type AuthorizationRequest, readAuthorizationRequest } from './authorization-request.ts'
import { consentPage, refusalPage, returnPage } from './consent-page.ts'
import { hostOf, withParameters } from './redirect-address.ts'
import { newSecret } from './secrets.ts'

/** Whose password this is, or why nobody is let in. */
export type SignIn = (
  c: Context<HttpEnv>,
  email: string,
  password: string,
) => Promise<{ account: string } | { status: ContentfulStatusCode; problem: string }>

type Parts = { settings: Pick<Settings, 'publicUrl'>; grants: Grants; signIn: SignIn }

/** `/oauth/authorize`: the page on which the owner of an account allows a program to work in it. */
export function createConsentRoutes({ settings, grants, signIn }: Parts): Hono<HttpEnv> {
  const { publicUrl } = settings
  const resource = resourceOf(settings)
  const routes = new Hono<HttpEnv>()

  /** Goes on with a request that can be shown, and answers any other. */
  async function withRequest(
    c: Context<HttpEnv>,
    goOn: (request: AuthorizationRequest) => Promise<Response> | Response,
  ): Promise<Response> {
    const query = new URL(c.req.url).searchParams
    const read = await readAuthorizationRequest({ query, resource, find: grants.client })
    return 'problem' in read ? sendPage(c, 400, refusalPage(read)) : goOn(read.request)
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
      const code = newSecret('solo_code_')
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
  return routes
}

/** Browsers say where a form comes from; the page lets them (`Referrer-Policy: same-origin`). */
function isOwnForm(c: Context, publicUrl: string): boolean {
  const site = c.req.header('sec-fetch-site')
  return site === undefined ? c.req.header('origin') === publicUrl : site === 'same-origin'
}
