import { LegalPage } from './legal-page.tsx'

export function PrivacyPage() {
  return (
    <LegalPage title="Privacy" since="November 15, 2026">
      <p>
        Solo CRM holds what you enter so that you can work with it. Nobody else does anything with
        it. This page says in plain words what is kept, where, and for how long.
      </p>
      <h2>What is kept</h2>
      <ul>
        <li>Your email address, and your password as a hash that cannot be turned back.</li>
        <li>
          What you enter or import: contacts, companies, deals, tasks, notes and the history of your
          changes.
        </li>
        <li>Where your account is signed in, so that you can end a session you do not know.</li>
        <li>Your settings: display name, time zone, first day of the week, theme.</li>
      </ul>
      <h2>What is not kept</h2>
      <p>
        There is no advertising, no tracking and no analytics in Solo CRM. Our pages set no cookies
        and load nothing from other hosts. Your browser keeps your session and your theme in its own
        storage; signing out removes the session.
      </p>
      <h2>Who can see it</h2>
      <p>
        You. Every row in the database belongs to one account, and the database itself refuses it to
        any other. Whoever runs the server can reach the database to keep it running, and uses that
        for nothing else.
      </p>
      <h2>How long</h2>
      <p>
        What you delete lies in the trash for 30 days and is then erased, earlier versions included.
        When you delete your account, the account and everything in it is erased at once.
      </p>
      <h2>Mails</h2>
      <p>
        We write to you to confirm your address, to reset your password and to tell you when either
        changes. Nothing else.
      </p>
      <h2>What you can do</h2>
      <p>
        Read, change and delete everything in the app; save all of it as a file under Settings; take
        back an import or a deletion; delete the account. The people in your contact list can ask
        you the same, and search, export and delete help you to answer them.
      </p>
    </LegalPage>
  )
}
