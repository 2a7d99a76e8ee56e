import { Center, Paper, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { ProductMark } from './product-mark.tsx'

type MessageCardProps = { title: string; children: ReactNode; action: ReactNode }

/** A page with one message. */
export function MessageCard({ title, children, action }: MessageCardProps) {
  return (
    <Center component="main" mih="100dvh" p="md">
      <Paper withBorder w="100%" maw={400} p="xl">
        <Stack gap="md" align="center" ta="center">
          <ProductMark size={40} />
          <Stack gap="xs">
            <Title order={1}>{title}</Title>
            <Text c="dimmed" component="div">
              {children}
            </Text>
          </Stack>
          {action}
        </Stack>
      </Paper>
    </Center>
  )
}
