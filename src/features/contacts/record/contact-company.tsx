import { ActionIcon, Button } from '@mantine/core'
import { IconPencil, IconPlus } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { CompanySelect } from '#features/companies/index.ts'
import { FieldRow } from '#ui/field-row.tsx'
import { type Contact, useUpdateContact } from '../queries.ts'
import classes from './contact-company.module.css'

/** Whom the contact works for: the way there, and the way to choose another. */
export function ContactCompany({ contact }: { contact: Contact }) {
  const update = useUpdateContact()
  const [isChoosing, setIsChoosing] = useState(false)
  const { company_id, company_name } = contact
  const company = company_id ? { id: company_id, name: company_name ?? '' } : null

  function choose(chosen: { id: string; name: string } | null): void {
    setIsChoosing(false)
    if (chosen?.id === company?.id) return
    const values = { company_id: chosen?.id ?? null }
    // A failure has been told, and the old one is back.
    update({ seen: contact, values, companyName: chosen?.name ?? null }).catch(() => {})
  }

  if (isChoosing) {
    return (
      <FieldRow label="Company">
        <Chooser company={company} onChoose={choose} onClose={() => setIsChoosing(false)} />
      </FieldRow>
    )
  }
  const start = () => setIsChoosing(true)
  return (
    <FieldRow label="Company">
      {company ? (
        <div className={classes.value}>
          <Link to={`/app/companies/${company.id}`} className={classes.link}>
            <bdi>{company.name}</bdi>
          </Link>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="var(--solo-control-height)"
            className={classes.action ?? ''}
            aria-label="Edit Company"
            title="Edit"
            onClick={start}
          >
            <IconPencil size={16} stroke={1.5} aria-hidden />
          </ActionIcon>
        </div>
      ) : (
        <Button
          variant="subtle"
          px={8}
          leftSection={<IconPlus size={14} stroke={1.5} aria-hidden />}
          onClick={start}
        >
          Add company
        </Button>
      )}
    </FieldRow>
  )
}

const none = { id: 'none', label: 'No company' }

type ChooserProps = {
  company: { id: string; name: string } | null
  onChoose: (company: { id: string; name: string } | null) => void
  onClose: () => void
}

function Chooser({ company, onChoose, onClose }: ChooserProps) {
  const box = useRef<HTMLDivElement>(null)
  const isCovered = useRef(false)
  useEffect(() => {
    const element = box.current
    const input = element?.querySelector('input')
    input?.focus()
    input?.click()
    // Looking away chooses nothing. The form of a new company is not looking away.
    const leave = (event: FocusEvent) => {
      const isInside = event.relatedTarget instanceof Node && element?.contains(event.relatedTarget)
      if (!isInside && !isCovered.current) onClose()
    }
    const press = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !isCovered.current) onClose()
    }
    element?.addEventListener('focusout', leave)
    element?.addEventListener('keydown', press)
    return () => {
      element?.removeEventListener('focusout', leave)
      element?.removeEventListener('keydown', press)
    }
  }, [onClose])
  return (
    <div ref={box} className={classes.chooser}>
      <CompanySelect
        chosen={company}
        onChoose={(chosen) => onChoose(chosen?.id === none.id ? null : chosen)}
        // The field's own cross is not for the keyboard.
        fixed={company ? [none] : []}
        canCreate
        isInPopover
        onCovered={(isNow) => {
          isCovered.current = isNow
        }}
      />
    </div>
  )
}
