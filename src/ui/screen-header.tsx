import { Group, Stack, Text, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { BackLink } from './back-link.tsx'

type ScreenHeaderProps = {
  title: string
  subtitle?: string
  /** The title of the browser tab, where it differs. */
  tabTitle?: string
  actions?: ReactNode
  /** The parent screen. */
  back?: { label: string; to: string }
}

/** The title of a screen and its browser tab, with actions at the right. */
export function ScreenHeader(props: ScreenHeaderProps) {
  const { title, subtitle, tabTitle = title, actions, back } = props
  useDocumentTitle(`${tabTitle} · Solo CRM`)
  return (
    <Group justify="space-between" align="flex-start" gap="sm" mb="lg">
      {/* One button stands beside the title on a phone too. */}
      <Stack gap={2} miw={0} flex="1 1 200px" align="flex-start">
        {back && <BackLink {...back} />}
        <Title order={1} style={{ overflowWrap: 'anywhere' }}>
          {title}
        </Title>
        {subtitle && <Text c="dimmed">{subtitle}</Text>}
      </Stack>
      {actions && <Group gap={8}>{actions}</Group>}
    </Group>
  )
}
