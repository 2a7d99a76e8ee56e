import { Anchor, Code, Table, Text } from '@mantine/core'
import { databaseFunctions } from '#domain/interface/database-functions.ts'
import { interfaceFunctions } from '#domain/interface/functions.ts'
import type { InterfaceFunction } from '#domain/interface/interface-function.ts'
import { inputSchema } from '#domain/interface/openapi.ts'
import { readPageSettings } from '#lib/page-settings.ts'
import { CodeBlock } from '#ui/code-block.tsx'
import { Panel } from '#ui/panel.tsx'
import { PanelScreen } from '#ui/panel-screen.tsx'
import { TintBadge } from '#ui/tint-badge.tsx'
import connections from '../connections.module.css'
import { argumentsOf } from './arguments.ts'
import { examples } from './examples.ts'
import classes from './interface-page.module.css'

/** Every function of the interface for programs, with examples. */
export function InterfacePage() {
  const settings = readPageSettings()
  const isHosted = settings.supabaseUrl !== ''
  const { curl, typescript } = examples(settings, window.location.origin)
  return (
    <PanelScreen
      title="API"
      subtitle="What your own programs can do with an access token"
      back={{ label: 'Connections', to: '/app/settings/connections' }}
    >
      <Panel title="Examples" text="Each function takes JSON and answers with JSON.">
        <div className={connections.steps}>
          <CodeBlock label="curl" code={curl} />
          <CodeBlock label="TypeScript" code={typescript} />
          {isHosted ? (
            <Text size="sm" c="dimmed">
              Your data is in a Supabase project, so programs call its function call_with_token. The
              addresses under /api/v1 need a server that holds the data itself.
            </Text>
          ) : (
            <Anchor size="sm" href="/api/v1/openapi.json" target="_blank" rel="noopener">
              OpenAPI 3.1 description
            </Anchor>
          )}
        </div>
      </Panel>
      {isHosted ? <DatabaseFunctions /> : <AllFunctions />}
    </PanelScreen>
  )
}

/** What there is without a server that holds the data. */
function DatabaseFunctions() {
  return (
    <Panel
      title="Functions"
      text="p_name is the name and p_args has the arguments, as the database takes them: stages by their ids, and no defaults filled in. Assistants that use npm run mcp have tools of their own."
    >
      <div className={classes.scroll}>
        <Table fz="xs" verticalSpacing={4} horizontalSpacing={8}>
          <Table.Tbody>
            {databaseFunctions.map(({ name, args, about }) => (
              <Table.Tr key={name}>
                <Table.Td className={classes.arg ?? ''}>
                  <Code>{name}</Code>
                </Table.Td>
                <Table.Td>{args}</Table.Td>
                <Table.Td>{about}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
    </Panel>
  )
}

function AllFunctions() {
  return (
    <>
      <Panel title="Reading">
        {interfaceFunctions.filter(({ writes }) => !writes).map(functionRow)}
      </Panel>
      <Panel
        title="Writing"
        text="Each call shows in your history under the name of its token, and you can undo it."
      >
        {interfaceFunctions.filter(({ writes }) => writes).map(functionRow)}
      </Panel>
    </>
  )
}

function functionRow(definition: InterfaceFunction) {
  return <FunctionRow key={definition.name} definition={definition} />
}

function FunctionRow({ definition }: { definition: InterfaceFunction }) {
  const { name, title, description } = definition
  const args = argumentsOf(inputSchema(definition))
  return (
    <section className={classes.function} aria-label={title}>
      <h3 className={classes.name}>
        {title} <Code>{name}</Code>
      </h3>
      <p className={classes.text}>{description}</p>
      {args.length > 0 && (
        <div className={classes.scroll}>
          <Table fz="xs" verticalSpacing={4} horizontalSpacing={8}>
            <Table.Tbody>
              {args.map((arg) => (
                <Table.Tr key={arg.name}>
                  <Table.Td className={classes.arg ?? ''}>
                    <Code>{arg.name}</Code>
                    {arg.isRequired && <TintBadge color="gray">required</TintBadge>}
                  </Table.Td>
                  <Table.Td>{arg.type}</Table.Td>
                  <Table.Td>{arg.about}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </div>
      )}
    </section>
  )
}
