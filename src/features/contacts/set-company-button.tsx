import { Button, Popover, Stack } from '@mantine/core'
import { IconBuilding } from '@tabler/icons-react'
import { useState } from 'react'
import { CompanySelect } from '#features/companies/index.ts'
import { SelectionAction } from '#ui/selection-bar.tsx'
import { TextInside, useLeaveQuestion } from '#ui/use-leave-question.ts'

type SetCompanyButtonProps = {
  /** Null takes the company away. */
  onSet: (company: { id: string; name: string } | null) => void
}

/** 'Set company': one for all that are selected, or none. */
export function SetCompanyButton({ onSet }: SetCompanyButtonProps) {
  const [isOpen, setIsOpen] = useState(false)
  const [company, setCompany] = useState<{ id: string; name: string } | null>(null)
  const [error, setError] = useState<string>()
  const [inside] = useState(() => new Set<object>())
  const { isAsking, mayLeave } = useLeaveQuestion(false, inside)
  async function close(): Promise<void> {
    // The question is outside of the popover: a click in it must not close the popover.
    if (isAsking || !(await mayLeave())) return
    setIsOpen(false)
    setError(undefined)
  }
  function set(chosen: { id: string; name: string } | null): void {
    setIsOpen(false)
    setCompany(null)
    setError(undefined)
    onSet(chosen)
  }
  return (
    <Popover
      opened={isOpen}
      onChange={(opened) => (opened ? setIsOpen(true) : close())}
      width={280}
      position="top"
      shadow="md"
      trapFocus={!isAsking}
      returnFocus
      withinPortal={false}
    >
      <Popover.Target>
        <SelectionAction icon={IconBuilding} onClick={() => (isOpen ? close() : setIsOpen(true))}>
          Set company
        </SelectionAction>
      </Popover.Target>
      <Popover.Dropdown>
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            if (company) set(company)
            else setError('Choose a company.')
          }}
        >
          <Stack gap="sm">
            <TextInside value={inside}>
              <CompanySelect
                placeholder="Choose a company"
                chosen={company}
                onChoose={(chosen) => {
                  setCompany(chosen)
                  setError(undefined)
                }}
                error={error}
                isInPopover
              />
            </TextInside>
            <Button type="submit">Set company</Button>
            <Button variant="default" onClick={() => set(null)}>
              Remove company
            </Button>
          </Stack>
        </form>
      </Popover.Dropdown>
    </Popover>
  )
}
