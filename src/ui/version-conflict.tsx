import { Button, Paper, Table, Text } from '@mantine/core'

type VersionConflictProps<Values extends Record<string, string>> = {
  fields: Record<keyof Values & string, string>
  mine: Values
  theirs: Values
  onTakeTheirs: () => void
}

/** Shows the differences between the user's version and the one that another window saved. */
export function VersionConflict<Values extends Record<string, string>>({
  fields,
  mine,
  theirs,
  onTakeTheirs,
}: VersionConflictProps<Values>) {
  const names = Object.keys(fields) as (keyof Values & string)[] // the keys of this type
  const different = names.filter((name) => mine[name]?.trim() !== theirs[name])
  return (
    <Paper withBorder p="md" bg="var(--solo-page)" role="group" aria-label="Both versions">
      <Text fw={600}>Changed in another window</Text>
      <Text size="sm" c="dimmed">
        This record changed after you opened it. Overwrite it with your version or keep the other
        one.
      </Text>
      {different.length > 0 && (
        <Table
          mt="sm"
          fz="sm"
          layout="fixed"
          withRowBorders={false}
          verticalSpacing={4}
          horizontalSpacing={0}
        >
          <Table.Thead>
            <Table.Tr>
              <Table.Th w="28%">Field</Table.Th>
              <Table.Th>Yours</Table.Th>
              <Table.Th>Other window</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {different.map((name) => (
              <Table.Tr key={name} style={{ overflowWrap: 'anywhere', verticalAlign: 'top' }}>
                <Table.Td>{fields[name]}</Table.Td>
                <Table.Td dir="auto">{mine[name] || '-'}</Table.Td>
                <Table.Td dir="auto">{theirs[name] || '-'}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      <Button variant="default" mt="sm" onClick={onTakeTheirs}>
        Keep the other version
      </Button>
    </Paper>
  )
}
