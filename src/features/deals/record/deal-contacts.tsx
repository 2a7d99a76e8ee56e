import { Button, Menu, Skeleton } from '@mantine/core'
import { IconDots, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { contactName } from '#domain/contact.ts'
import { type DealPerson, dealRoles, peopleOn } from '#domain/deal-people.ts'
import { shownNumber } from '#domain/figures.ts'
import { MenuButton } from '#ui/menu-button.tsx'
import { NoLines, RecordLine, RecordLines } from '#ui/record-lines.tsx'
import { RecordSection } from '#ui/record-section.tsx'
import { RowMenu } from '#ui/row-menu.tsx'
import { TintBadge } from '#ui/tint-badge.tsx'
import type { Deal } from '../queries.ts'
// Not loaded on demand: what is typed right after the press would be lost.
import { DealContactDialog } from './deal-contact-dialog.tsx'
import { useRemoveDealContact, useSetDealContact } from './queries.ts'

/** Everyone on a deal, each with a role; the main contact first. */
export function DealContacts({ deal }: { deal: Deal }) {
  const [asked, setAsked] = useState<DealPerson | 'new' | null>(null)
  const people = peopleOn(deal)
  const isRead = deal.people !== undefined
  return (
    <RecordSection
      title="Contacts"
      isLoading={!isRead}
      count={isRead ? shownNumber(people.length) : undefined}
      action={
        <Button
          size="compact-sm"
          variant="subtle"
          leftSection={<IconPlus size={14} stroke={1.5} aria-hidden />}
          onClick={() => setAsked('new')}
        >
          Add contact
        </Button>
      }
    >
      {!isRead && <Skeleton height={40} aria-hidden />}
      {isRead && people.length === 0 && <NoLines>No contacts yet</NoLines>}
      {isRead && people.length > 0 && (
        <RecordLines
          rows={people}
          renderLine={(person) => (
            <PersonLine deal={deal} person={person} onRole={() => setAsked(person)} />
          )}
        />
      )}
      {asked && (
        <DealContactDialog
          deal={deal}
          {...(asked === 'new' ? {} : { person: asked })}
          onClose={() => setAsked(null)}
        />
      )}
    </RecordSection>
  )
}

type PersonLineProps = { deal: Deal; person: DealPerson; onRole: () => void }

function PersonLine({ deal, person, onRole }: PersonLineProps) {
  const set = useSetDealContact()
  const remove = useRemoveDealContact()
  const name = contactName(person.name)
  const change = (role: string | null, isMain: boolean, done: string) =>
    // The mutation reports a failure and rolls back.
    set({ deal, person: { ...person, role }, isMain }, done).catch(() => {})
  return (
    <>
      <RecordLine
        name={name}
        to={`/app/contacts/${person.id}`}
        about={person.role && <bdi>{person.role}</bdi>}
        badge={person.isMain && <TintBadge color="violet">Main</TintBadge>}
      />
      <MenuButton
        label={`Actions for ${name}`}
        title="Actions"
        icon={<IconDots size={16} stroke={1.5} aria-hidden />}
      >
        {(menu) => (
          <RowMenu {...menu}>
            <Menu.Label>Role</Menu.Label>
            {dealRoles
              .filter((role) => role !== person.role)
              .map((role) => (
                <Menu.Item key={role} onClick={() => change(role, false, `${name}: ${role}`)}>
                  {role}
                </Menu.Item>
              ))}
            <Menu.Item onClick={onRole}>Other role...</Menu.Item>
            {person.role && (
              <Menu.Item onClick={() => change(null, false, `${name}: no role`)}>No role</Menu.Item>
            )}
            <Menu.Divider />
            {!person.isMain && (
              <Menu.Item onClick={() => change(person.role, true, `${name} is the main contact`)}>
                Make main contact
              </Menu.Item>
            )}
            <Menu.Item
              onClick={() =>
                remove(deal, person.id, `${name} removed from the deal`).catch(() => {})
              }
            >
              Remove from deal
            </Menu.Item>
          </RowMenu>
        )}
      </MenuButton>
    </>
  )
}
