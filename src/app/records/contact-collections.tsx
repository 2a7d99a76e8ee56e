import { CloseButton } from '@mantine/core'
import { Link } from 'react-router'
import { AddToCollectionMenu, useRemoveFromCollection } from '#features/collections/index.ts'
import { type ContactRecord, useReadContactsAgain } from '#features/contacts/index.ts'
import { RecordSection } from '#ui/record-section.tsx'
import classes from './contact-collections.module.css'

type ContactCollectionsProps = { contact: ContactRecord }

/** The collections that a contact is in. */
export function ContactCollections({ contact }: ContactCollectionsProps) {
  const readAgain = useReadContactsAgain()
  const remove = useRemoveFromCollection(readAgain)
  const filter = { ids: [contact.id] }
  return (
    <RecordSection title="Collections">
      {contact.collections.length > 0 && (
        <ul className={classes.chips}>
          {contact.collections.map(({ id, name }) => (
            <li key={id} className={classes.chip}>
              <Link to={`/app/contacts?collection=${id}`} title={name}>
                <bdi>{name}</bdi>
              </Link>
              <CloseButton
                size="sm"
                aria-label={`Remove from ${name}`}
                // The mutation reports a failure and rolls back.
                onClick={() =>
                  remove({ collection: { id, name, contacts: 0 }, filter, count: 1 }).catch(
                    () => {},
                  )
                }
              />
            </li>
          ))}
        </ul>
      )}
      <div className={classes.add}>
        <AddToCollectionMenu filter={filter} count={1} onDone={readAgain} />
      </div>
    </RecordSection>
  )
}
