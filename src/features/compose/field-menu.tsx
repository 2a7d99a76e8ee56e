import { Button, Menu } from '@mantine/core'
import { IconBraces } from '@tabler/icons-react'
import { MergeFieldItems } from '#features/emails/index.ts'

/** The fields that stand for what is known of each recipient. */
export function FieldMenu({ onInsert }: { onInsert: (field: string) => void }) {
  return (
    <Menu
      position="bottom-start"
      withinPortal={false}
      floatingStrategy="fixed"
      shadow="md"
      returnFocus={false}
    >
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          leftSection={<IconBraces size={14} stroke={1.5} aria-hidden />}
        >
          Insert a field
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <MergeFieldItems onInsert={onInsert} />
      </Menu.Dropdown>
    </Menu>
  )
}
