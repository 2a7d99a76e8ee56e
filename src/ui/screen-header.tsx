import { Group, Stack, Text, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { BackLink } from './back-link.tsx'

type ScreenHeaderProps = {
  title: string
  subtitle?: string
  /** What the tab says, where it differs from the title. */
  tabTitle?: string
  actions?: ReactNode
  /** The screen that it belongs to. */
  back?: { label: string; to: string }
}

/** Title of a screen and of its tab, with what can be done there at the right. */
export function ScreenHeader(props: ScreenHeaderProps) {
  const { title, subtitle, tabTitle = title, actions, back } = props
  useDocumentTitle(`${tabTitle} · Solo CRM`)
  return (
    <Group justify="space-between" align="flex-start" gap="sm" mb="lg">
      <Stack gap={2} miw={0} align="flex-start">
        {back && <BackLink {...back} />}
        <Title order={1} style={{ overflowWrap: 'anywhere' }}>
          {title}
        </Title>
        {subtitle && <Text c="dimmed">{subtitle}</Text>}
      </Stack>
      {actions && <Group gap="sm">{actions}</Group>}
    </Group>
  )
}
