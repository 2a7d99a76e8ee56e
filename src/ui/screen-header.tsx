import { Group, Stack, Text, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import type { ReactNode } from 'react'

type ScreenHeaderProps = {
  title: string
  subtitle?: string
  /** What the tab says, where it differs from the title. */
  tabTitle?: string
  actions?: ReactNode
}

/** Title of a screen and of its tab, with what can be done there at the right. */
export function ScreenHeader({ title, subtitle, tabTitle = title, actions }: ScreenHeaderProps) {
  useDocumentTitle(`${tabTitle} · Solo CRM`)
  return (
    <Group justify="space-between" align="flex-start" gap="sm" mb="lg">
      <Stack gap={2} miw={0}>
        <Title order={1} style={{ overflowWrap: 'anywhere' }}>
          {title}
        </Title>
        {subtitle && <Text c="dimmed">{subtitle}</Text>}
      </Stack>
      {actions && <Group gap="sm">{actions}</Group>}
    </Group>
  )
}
