import { describe, expect, test } from 'vitest'
import { type ImportKind, mapColumns } from './import-headers.ts'
import { recognisedKind } from './import-kind.ts'

/**
 * Header lines as programs write them, parted by `;`. After each column that is imported stands `=` and its field; the others are
 * left out.
 */
const programs: [program: string, kind: ImportKind, header: string][] = [
  [
    'Mailchimp audience',
    'contacts',
    'Email Address=email;First Name=first_name;Last Name=last_name;Address=addresses;Phone Number=phone_number;Birthday=birthday;MEMBER_RATING;OPTIN_TIME;OPTIN_IP;LEID;EUID;NOTES=notes;TAGS=tags',
  ],
  [
    'Mailchimp merge tags',
    'contacts',
    '*|EMAIL|*=email;*|FNAME|*=first_name;*|LNAME|*=last_name;*|PHONE|*=phone_number;*|COMPANY|*=company',
  ],
  [
    'Brevo',
    'contacts',
    'EMAIL=email;LASTNAME=last_name;FIRSTNAME=first_name;SMS=phone_number;WHATSAPP=phone_number;DOUBLE_OPT-IN;ADDED_TIME=created_at',
  ],
  [
    'MailerLite',
    'contacts',
    'Subscriber;Email=email;Name=first_name;Last name=last_name;Company=company;Phone=phone_number;State=addresses;Zip=addresses',
  ],
  [
    'Zoho contacts',
    'contacts',
    'Record Id;Contact Owner;Lead Source;First Name=first_name;Last Name=last_name;Account Name=company;Email=email;Title=role_title;Phone=phone_number;Home Phone=phone_number;Other Phone=phone_number;Mobile=phone_number;Fax;Assistant;Secondary Email=email;Created Time=created_at;Mailing City=addresses;Description=notes',
  ],
  [
    'Zoho accounts',
    'companies',
    'Record Id;Account Owner;Account Name=name;Phone=phones;Fax;Website=website;Industry=industry;Employees;Billing Street=location;Billing City=location;Billing Code;Billing Country=location;Shipping City;Description;Created Time=created_at',
  ],
  [
    'Zoho deals',
    'deals',
    'Record Id;Deal Owner;Amount=value;Deal Name=name;Closing Date=expected_close_date;Account Name=company;Stage=stage;Contact Name=contact;Created Time=created_at;Probability (%);Expected Revenue;Reason For Loss=lost_reason',
  ],
  [
    'Salesforce opportunities',
    'deals',
    'Id;AccountId;Name=name;StageName=stage;Amount=value;CloseDate=expected_close_date;IsClosed;IsWon;CreatedDate=created_at',
  ],
  [
    'Salesforce accounts',
    'companies',
    'Account ID;Account Name=name;Billing State/Province=location;Billing Zip/Postal Code=location;Phone=phones;Industry=industry;Website=website',
  ],
  [
    'HubSpot, internal names',
    'deals',
    'hs_object_id;dealname=name;dealstage=stage;amount=value;closedate=expected_close_date;pipeline=pipeline;createdate=created_at',
  ],
  [
    'HubSpot contacts, internal names',
    'contacts',
    'hs_object_id;firstname=first_name;lastname=last_name;email=email;phone=phone_number;mobilephone=phone_number;jobtitle=role_title;company=company;hs_lead_status;createdate=created_at',
  ],
  [
    'Pipedrive, all in one file',
    'deals',
    'Deal - Title=name;Deal - Value=value;Deal - Currency of Value;Deal - Stage=stage;Deal - Status=status;Deal - Won time=closed_at;Deal - Lost time=closed_at;Deal - Deal created=created_at;Person - Name=contact;Person - First name=contact_first_name;Person - Last name=contact_last_name;Person - Email - Work=contact_email;Person - Phone - Work=contact: phone_number;Organization - Name=company;Organization - Address=company: location',
  ],
  [
    'Pipedrive organizations',
    'companies',
    'Organization - Name=name;Organization - Label=tags;Organization - Address=location;Organization - Website=website;Organization - Industry=industry;Organization - Organization created=created_at',
  ],
  [
    'Apple Numbers from Contacts',
    'contacts',
    'First=first_name;Middle=middle_name;Last=last_name;Organization=company;Job Title=role_title;Work Email=email;Home Email=email;Mobile=phone_number;Work Phone=phone_number;Home Fax;Note=notes;Birthday=birthday',
  ],
  [
    'Thunderbird',
    'contacts',
    'First Name=first_name;Last Name=last_name;Display Name=full_name;Nickname=nickname;Primary Email=email;Secondary Email=email;Screen Name;Work Phone=phone_number;Home Phone=phone_number;Fax Number;Pager Number;Mobile Number=phone_number;Home Address=addresses;Job Title=role_title;Department;Organization=company;Web Page 1=links;Notes=notes',
  ],
  [
    'Yahoo',
    'contacts',
    'First=first_name;Middle=middle_name;Last=last_name;Nickname=nickname;Email=email;Category=tags;Alternate Email 1=email;Alternate Email 2=email;Home;Work;Pager;Fax;Mobile=phone_number;Comments=notes',
  ],
  [
    'Capsule',
    'contacts',
    'ID;Type;Title;First Name=first_name;Last Name=last_name;Job Title=role_title;Organisation=company;Created=created_at;Email Address=email;Phone Number=phone_number;About',
  ],
  [
    'Insightly',
    'contacts',
    'Record ID;Salutation;First Name=first_name;Last Name=last_name;Background=notes;Business Phone=phone_number;Home Phone=phone_number;Mobile Phone=phone_number;Email Address=email;Organisation=company;Role=role_title;Date Created=created_at',
  ],
  [
    'Copper',
    'contacts',
    'Copper ID;Name=full_name;Title=role_title;Company=company;Work Email=email;Personal Email=email;Other Email=email;Work Phone=phone_number;Mobile Phone=phone_number;Contact Type;Created At=created_at;Details',
  ],
  [
    'Freshsales deals',
    'deals',
    'Deal id;Deal name=name;Deal value=value;Deal stage=stage;Expected close date=expected_close_date;Closed date=closed_at;Lost reason=lost_reason;Account name=company;Created at=created_at',
  ],
  [
    'Freshsales deals with their account and contact',
    'deals',
    'Id;Deal name=name;Deal value=value;Sales account=company;Primary contact=contact;Primary contact email=contact_email;Sales owner;Deal pipeline=pipeline;Deal stage=stage',
  ],
  [
    'Close opportunities',
    'deals',
    'id;lead_id;lead_name=company;contact_name=contact;status_label=status;pipeline_name=pipeline;value=value;value_currency=currency;value_period;confidence;date_created=created_at;date_won=closed_at;date_lost=closed_at;note',
  ],
  [
    'monday deals',
    'deals',
    'Name=name;Stage=stage;Owner;Deal Value=value;Contacts=contact;Accounts=company;Phone=contact: phone_number;Email=contact_email;Title=contact: role_title;Expected Close Date=expected_close_date',
  ],
  [
    'Dynamics opportunities',
    'deals',
    'Opportunity=name;Potential Customer;Est. Close Date=expected_close_date;Estimated Revenue=value;Contact=contact;Account=company;Pipeline Phase;Status=status;Actual Close Date=closed_at',
  ],
  [
    'Eventbrite attendees',
    'contacts',
    'Order #;Order Date;First Name=first_name;Surname=last_name;Email=email;Quantity;Ticket Type;Company=company;Job Title=role_title;Cell Phone=phone_number',
  ],
  [
    'Shopify customers',
    'contacts',
    'Customer ID;First Name=first_name;Last Name=last_name;Email=email;Accepts Email Marketing;Default Address Company;Phone=phone_number;Total Spent;Note=notes;Tags=tags',
  ],
  [
    'Pipedrive people with addresses',
    'contacts',
    'Person - Name=full_name;Person - Postal address=addresses;Person - Apartment/suite no of Postal address=addresses;Person - House number of Postal address=addresses;Person - Street/road name of Postal address=addresses;Person - City/town/village/locality of Postal address=addresses;Person - State/county of Postal address=addresses;Person - Country of Postal address=addresses;Person - ZIP/Postal code of Postal address=addresses;Person - Full/combined address of Postal address=addresses;X=links',
  ],
  [
    'Pipedrive organizations with addresses',
    'companies',
    'Organization - Name=name;Organization - Address=location;Organization - City/town/village/locality of Address=location;Organization - Country of Address=location;Organization - ZIP/Postal code of Address=location',
  ],
  [
    'Xero',
    'contacts',
    '*ContactName=full_name;AccountNumber;EmailAddress=email;FirstName=first_name;LastName=last_name;POAttentionTo;POAddressLine1=addresses;POAddressLine2=addresses;POCity=addresses;PORegion=addresses;POPostalCode=addresses;POCountry=addresses;SAAttentionTo;SAAddressLine1=addresses;SACity=addresses;SARegion=addresses;SAPostalCode=addresses;SACountry=addresses;PhoneNumber=phone_number;FaxNumber;MobileNumber=phone_number;DDINumber=phone_number;SkypeName;Website=links',
  ],
  [
    'Outlook, German',
    'contacts',
    'Anrede;Vorname=first_name;Weitere Vornamen=middle_name;Nachname=last_name;Suffix;Firma=company;Abteilung;Position=role_title;Straße geschäftlich=addresses;Fax geschäftlich;Telefon geschäftlich=phone_number;Telefon (privat)=phone_number;Mobiltelefon=phone_number;E-Mail-Adresse=email;E-Mail 2: Adresse=email;Titel;Notizen=notes',
  ],
  [
    'German spreadsheet',
    'contacts',
    'Name=last_name;Vorname=first_name;Unternehmen=company;Funktion=role_title;E-Mail=email;Handy=phone_number;Bemerkung=notes;Erstellt am=created_at',
  ],
  [
    'French spreadsheet',
    'contacts',
    'Civilité;Nom=last_name;Prénom=first_name;Société=company;Fonction=role_title;Adresse e-mail=email;E-mail pro=email;Téléphone=phone_number;Tél. portable=phone_number;Commentaires=notes;Date de création=created_at',
  ],
  [
    'Spanish spreadsheet',
    'contacts',
    'Nombre=first_name;Apellidos=last_name;Empresa=company;Cargo=role_title;Correo electrónico=email;Correo electrónico (trabajo)=email;Teléfono móvil=phone_number;Estado;Notas=notes',
  ],
  [
    'Italian spreadsheet',
    'contacts',
    'Nome=first_name;Cognome=last_name;Azienda=company;Ruolo=role_title;Indirizzo e-mail=email;Cellulare=phone_number;Stato;Note=notes',
  ],
  [
    'Portuguese spreadsheet',
    'contacts',
    'Nome=first_name;Sobrenome=last_name;Empresa=company;Cargo=role_title;E-mail=email;Telefone celular=phone_number;Observações=notes;Criado em=created_at',
  ],
  [
    'Dutch spreadsheet',
    'contacts',
    'Voornaam=first_name;Tussenvoegsel;Achternaam=last_name;Bedrijf=company;Functie=role_title;E-mailadres=email;Telefoonnummer=phone_number;Mobiel=phone_number;Opmerkingen=notes;Titel',
  ],
  [
    'Swedish spreadsheet',
    'contacts',
    'Förnamn=first_name;Efternamn=last_name;Företag=company;Titel=role_title;E-post=email;E-post arbete=email;Mobil=phone_number;Anteckningar=notes',
  ],
  [
    'Polish spreadsheet',
    'contacts',
    'Imię=first_name;Nazwisko=last_name;Firma=company;Stanowisko=role_title;Adres e-mail=email;Telefon służbowy=phone_number;Uwagi=notes;Data utworzenia=created_at',
  ],
  [
    'Japanese spreadsheet',
    'contacts',
    '姓=last_name;名=first_name;会社名=company;部署;役職=role_title;メールアドレス=email;電話番号=phone_number;携帯電話=phone_number;備考=notes',
  ],
  [
    'German companies',
    'companies',
    'Firmenname=name;Straße=location;PLZ=location;Ort=location;Land=location;Webseite=website;Branche=industry;Telefon=phones',
  ],
  [
    'Spanish companies',
    'companies',
    'Nombre de la empresa=name;Sitio web=website;Sector=industry;Ciudad=location;Estado=location;País=location',
  ],
  [
    'Japanese companies',
    'companies',
    '会社名=name;業種=industry;住所=location;ウェブサイト=website;電話番号=phones',
  ],
  [
    'HubSpot deals, German',
    'deals',
    'Datensatz-ID;Deal-Name=name;Deal-Phase=stage;Betrag=value;Abschlussdatum=expected_close_date;Pipeline=pipeline;Unternehmen=company;Erstellungsdatum=created_at',
  ],
  [
    'HubSpot deals, French',
    'deals',
    'Nom de la transaction=name;Phase de la transaction=stage;Montant=value;Date de fermeture=expected_close_date;Pipeline=pipeline',
  ],
  [
    'Portuguese deals',
    'deals',
    'Título=name;Valor=value;Etapa=stage;Estado=status;Funil=pipeline;Data de fechamento=expected_close_date;Organização=company;Pessoa de contato=contact;Ganho em=closed_at;Perdido em=closed_at;Motivo da perda=lost_reason',
  ],
  [
    'French companies',
    'companies',
    'Raison sociale=name;Site internet=website;Secteur d’activité=industry;Adresse=location;Code postal=location;Ville=location;Téléphone=phones;Courriel=emails;SIRET',
  ],
  [
    'Italian companies',
    'companies',
    'Ragione sociale=name;Sito web=website;Settore=industry;Indirizzo=location;CAP=location;Città=location;Telefono=phones;Indirizzo e-mail=emails;Partita IVA',
  ],
  [
    'Portuguese companies',
    'companies',
    'Nome da empresa=name;Site=website;Setor=industry;Endereço=location;Cidade=location;Telefone=phones;CNPJ;Criado em=created_at',
  ],
  [
    'Dutch companies',
    'companies',
    'Bedrijfsnaam=name;Website=website;Branche=industry;Adres=location;Postcode=location;Plaats=location;Telefoonnummer=phones;KvK-nummer',
  ],
  [
    'Swedish companies',
    'companies',
    'Företagsnamn=name;Organisationsnummer;Bransch=industry;Hemsida=website;Gatuadress=location;Postnummer=location;Ort=location;Telefon=phones',
  ],
  [
    'Polish companies',
    'companies',
    'Nazwa firmy=name;NIP;Branża=industry;Strona www=website;Ulica=location;Kod pocztowy=location;Miasto=location;Numer telefonu=phones;Adres e-mail=emails',
  ],
  [
    'Spanish deals',
    'deals',
    'Nombre del negocio=name;Importe=value;Moneda=currency;Etapa=stage;Estado=status;Embudo=pipeline;Fecha de cierre prevista=expected_close_date;Empresa=company;Persona de contacto=contact;Ganado el=closed_at;Perdido el=closed_at;Motivo de pérdida=lost_reason',
  ],
  [
    'Italian deals',
    'deals',
    'Nome trattativa=name;Importo=value;Valuta=currency;Fase=stage;Stato=status;Data di chiusura prevista=expected_close_date;Azienda=company;Referente=contact;Vinto il=closed_at;Motivo perdita=lost_reason;Data creazione=created_at',
  ],
  [
    'Dutch deals',
    'deals',
    'Dealnaam=name;Waarde=value;Valuta=currency;Fase=stage;Status=status;Verwachte sluitingsdatum=expected_close_date;Organisatie=company;Contactpersoon=contact;Gewonnen op=closed_at;Verloren op=closed_at;Verliesreden=lost_reason',
  ],
  [
    'Dutch deals with their end in a word',
    'deals',
    'Verkoopkans=name;Bedrag=value;Resultaat=status;Sluitingsdatum=expected_close_date;Bedrijf=company',
  ],
  [
    'Swedish deals',
    'deals',
    'Affärsnamn=name;Belopp=value;Valuta=currency;Steg=stage;Status=status;Förväntat avslutsdatum=expected_close_date;Företag=company;Kontaktperson=contact;Vunnen den=closed_at;Förlustorsak=lost_reason;Skapad=created_at',
  ],
  [
    'Swedish deals with their end in a word',
    'deals',
    'Affär=name;Värde=value;Tillstånd=status;Stängningsdatum=expected_close_date;Bolag=company',
  ],
  [
    'Polish deals',
    'deals',
    'Nazwa szansy=name;Kwota=value;Waluta=currency;Etap=stage;Stan=status;Przewidywana data zamknięcia=expected_close_date;Firma=company;Osoba kontaktowa=contact;Data wygranej=closed_at;Powód utraty=lost_reason',
  ],
  [
    'Japanese deals',
    'deals',
    '商談名=name;金額=value;通貨=currency;フェーズ=stage;ステータス=status;完了予定日=expected_close_date;会社名=company;担当者名=contact;受注日=closed_at;失注日=closed_at;失注理由=lost_reason',
  ],
]

describe('headers of programs', () => {
  test.each(programs)('%s', (_program, kind, line) => {
    const told = line.split(';').map((cell) => cell.split('='))
    const columns = told.map(([name = '']) => name)
    const fields = mapColumns(kind, columns)
    expect(columns.map((name, place) => `${name}=${fields[place] ?? ''}`)).toEqual(
      told.map(([name, field = '']) => `${name}=${field}`),
    )
    expect(recognisedKind(columns)).toBe(kind)
  })
})

test('a list of people with tags and a website is no list of companies', () => {
  expect(recognisedKind(['Name', 'Company', 'Email', 'Phone', 'Tags', 'URL'])).toBe('contacts')
})
