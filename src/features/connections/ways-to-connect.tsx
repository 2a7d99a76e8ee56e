import { readPageSettings } from '#lib/page-settings.ts'
import { CodeBlock } from '#ui/code-block.tsx'

type WaysToConnectProps = {
  /** Stands for one until it is made. */
  token?: string
}

/** The address to give to assistants on the web, which ask for permission on our consent page. */
export function WebConnector() {
  const { supabaseUrl } = readPageSettings()
  if (supabaseUrl) return null
  return (
    <CodeBlock
      label="Claude, ChatGPT and others on the web: add a custom connector with this address"
      code={`${window.location.origin}/mcp`}
    />
  )
}

/** What to give to an assistant. Where a hosted project holds the data, only a program on the user's machine can speak to it. */
export function WaysToConnect({ token = 'solo_…' }: WaysToConnectProps) {
  const { supabaseUrl, supabaseKey } = readPageSettings()
  const url = supabaseUrl || window.location.origin
  const env = {
    SOLO_URL: url,
    SOLO_TOKEN: token,
    ...(supabaseUrl ? { SOLO_KEY: supabaseKey } : {}),
  }
  const program = {
    mcpServers: {
      'solo-crm': { command: 'node', args: ['/path/to/solo-crm/scripts/mcp.mjs'], env },
    },
  }
  return (
    <>
      {!supabaseUrl && (
        <CodeBlock
          label="Claude Code"
          code={`claude mcp add --transport http solo-crm ${url}/mcp --header "Authorization: Bearer ${token}"`}
        />
      )}
      <CodeBlock
        label="Claude Desktop and other assistants that start a program"
        code={JSON.stringify(program, null, 2)}
      />
    </>
  )
}
