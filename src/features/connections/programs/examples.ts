import type { PageSettings } from '#lib/page-settings.ts'

/** The same two calls for a terminal and for a program. */
export function examples({ supabaseUrl, supabaseKey }: PageSettings, origin: string) {
  if (supabaseUrl) return hostedExamples(supabaseUrl, supabaseKey)
  return {
    curl: `curl ${origin}/api/v1/search \\
  -H "Authorization: Bearer $SOLO_TOKEN" \\
  -H "Content-Type: application/json" \\
  -d '{"words": "Halden"}'`,
    typescript: `async function call(name: string, args: object) {
  const response = await fetch(\`${origin}/api/v1/\${name}\`, {
    method: 'POST',
    headers: {
      authorization: \`Bearer \${process.env.SOLO_TOKEN}\`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(args),
  })
  const answer = await response.json()
  if (!response.ok) throw new Error(answer.message)
  return answer
}

const { batch } = await call('quick_add', { line: 'call Anna @Acme tomorrow 3pm' })
// A token that only proposes has written nothing to undo.
if (batch) await call('undo', { batch })`,
  }
}

function hostedExamples(url: string, key: string) {
  const target = `${url}/rest/v1/rpc/call_with_token`
  return {
    curl: `curl ${target} \\
  -H "apikey: ${key}" \\
  -H "Content-Type: application/json" \\
  -d '{"p_token": "'$SOLO_TOKEN'", "p_name": "search", "p_args": {"words": "Halden"}}'`,
    typescript: `async function call(name: string, args: object) {
  const response = await fetch('${target}', {
    method: 'POST',
    headers: { apikey: '${key}', 'content-type': 'application/json' },
    body: JSON.stringify({ p_token: process.env.SOLO_TOKEN, p_name: name, p_args: args }),
  })
  const answer = await response.json()
  if (!response.ok) throw new Error(answer.message)
  return answer
}

const found = await call('search', { words: 'Halden' })`,
  }
}
