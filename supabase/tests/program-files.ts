import type { TextEncoding } from '#domain/import-text.ts'

/**
 * Files with the headers of the programs that write them, and made-up people. Each goes in without a hand, and every cell is
 * looked for afterwards.
 */
export const programFiles: Record<string, string> = {
  'HubSpot contacts': `Record ID,First Name,Last Name,Email,Phone Number,Mobile Phone Number,Contact owner,Lead Status,Lifecycle Stage,Create Date,Last Activity Date,Associated Company,Job Title,City,State/Region,Country/Region,Postal Code,Street Address,Website URL,Original Source,Number of Employees,Marketing contact status,Twitter Username
101,Nia,Okafor,nia@hub.example,+1 555 010 0001,+1 555 010 0002,Sam Seller,OPEN,Opportunity,2026-03-01 09:30,2026-04-02 10:15,Hub Inc,Head of IT,Boston,MA,United States,02110,1 Main St,https://hub.example,Organic Search,250,Marketing contact,@nia
102,Omar,Ruiz,omar@hub.example,,,Sam Seller,CONNECTED,Lead,2026-03-02 09:30,,Hub Inc,,Boston,MA,United States,02111,,,Direct Traffic,,Non-marketing contact,`,
  'HubSpot companies': `Record ID,Company name,Company owner,Create Date,Phone Number,City,Country/Region,Industry,Website URL,Annual Revenue,Number of Employees,Type,Description,LinkedIn Company Page,Time Zone
901,Hub Inc,Sam Seller,2026-01-05 12:00,+1 555 010 0100,Boston,United States,COMPUTER_SOFTWARE,hub.example,1200000,250,PROSPECT,"Makes hubs.
Since 1999.",https://www.linkedin.com/company/hub,US/Eastern`,
  'HubSpot deals': `Record ID,Deal Name,Deal Stage,Close Date,Deal owner,Amount,Currency,Pipeline,Associated Company,Associated Contact,Deal Type,Priority,Create Date,Closed Won Reason,Next step
7001,Hub rollout,Appointment Scheduled,2026-12-24 10:00,Sam Seller,12000.50,USD,Sales Pipeline,Hub Inc,Nia Okafor (nia@hub.example),newbusiness,high,2026-03-03 08:00,,Send the offer
7002,Hub pilot,Closed Won,2026-05-04 10:00,Sam Seller,900,EUR,Sales Pipeline,Hub Inc,Nia Okafor (nia@hub.example),existingbusiness,,2026-03-04 08:00,Good price,`,
  'Pipedrive people': `Person - Name,Person - First name,Person - Last name,Person - Label,Person - Organization,Person - Email - Work,Person - Email - Home,Person - Email - Other,Person - Phone - Work,Person - Phone - Home,Person - Phone - Mobile,Person - Owner,Person - Open deals,Person - Next activity date,Person - Person created,Person - Visible to,Person - ID,Person - Birthday,Person - Postal address
Ada Lovelace,Ada,Lovelace,Hot lead,Engine Ltd,ada@engine.example,ada@home.example,,+44 20 7946 0000,,+44 7700 900000,Sam,2,2026-12-01,2026-01-02 08:15:00,Everyone,17,1815-12-10,"12 St James's Square, London"`,
  'Pipedrive organizations': `Organization - Name,Organization - Label,Organization - Address,Organization - City/town/village/locality of Address,Organization - Country of Address,Organization - People,Organization - Open deals,Organization - Owner,Organization - Website,Organization - LinkedIn profile,Organization - Annual revenue,Organization - Number of employees,Organization - Organization created
Engine Ltd,Customer,12 St James's Square,London,United Kingdom,3,2,Sam,https://engine.example,https://www.linkedin.com/company/engine,5000000,40,2026-01-01 10:00:00`,
  'Pipedrive deals with people': `Deal - Title,Deal - Value,Deal - Currency of Value,Deal - Weighted value,Deal - Probability,Deal - Organization,Deal - Contact person,Deal - Pipeline,Deal - Stage,Deal - Label,Deal - Status,Deal - Deal created,Deal - Won time,Deal - Lost time,Deal - Lost reason,Deal - Expected close date,Deal - Owner,Deal - Source channel,Person - Name,Person - First name,Person - Last name,Person - Label,Person - Organization,Person - Email - Work,Person - Email - Home,Person - Phone - Work,Person - Phone - Mobile,Person - Birthday,Person - Job title,Person - Postal address,Person - Marketing status,Person - Person created,Organization - Name,Organization - Label,Organization - Address,Organization - City/town/village/locality of Address,Organization - Website,Organization - Industry,Organization - Annual revenue,Organization - LinkedIn profile
Engine one,1200,GBP,600,50,Engine Ltd,Ada Lovelace,Pipe,Qualified,Warm,Open,2026-01-02 08:15:00,,,,2026-12-31,Sam,Web form,Ada Lovelace,Ada,Lovelace,Hot lead,Engine Ltd,ada@engine.example,ada@home.example,+44 20 7946 0000,+44 7700 900000,1815-12-10,Countess,"12 St James's Square, London",Subscribed,2025-12-02 08:15:00,Engine Ltd,Key account,12 St James's Square,London,https://engine.example,Machines,5000000,https://www.linkedin.com/company/engine
Engine two,300,GBP,0,,Engine Ltd,Charles Babbage,Pipe,Proposal,,Lost,2026-01-03 08:15:00,,2026-04-01 09:00:00,Too expensive,,Sam,,Charles Babbage,Charles,Babbage,,Engine Ltd,charles@engine.example,,,,,Inventor,,,2025-12-03 08:15:00,Engine Ltd,Key account,12 St James's Square,London,https://engine.example,Machines,5000000,https://www.linkedin.com/company/engine
Loom,90,GBP,,,,,Pipe,Qualified,,Open,2026-01-04 08:15:00,,,,,Sam,,,,,,,,,+44 161 496 0000,,,,,,,,,,,,,,`,
  'Salesforce contacts report': `"Salutation","First Name","Last Name","Title","Account Name","Mailing Street","Mailing City","Mailing State/Province","Mailing Zip/Postal Code","Mailing Country","Phone","Fax","Mobile","Email","Account Owner","Lead Source","Birthdate","Email Opt Out","Last Modified Date"
"Ms.","Sal","Force","SVP, Sales","Force, Inc","415 Mission St","San Francisco","CA","94105","United States","(415) 555-0100","(415) 555-0102","(415) 555-0101","sal@force.example","Rep One","Web","5/4/1980","0","6/1/2026"
"Dr.","Al","Oha","CTO","Force, Inc","415 Mission St","San Francisco","CA","94105","United States","(415) 555-0103","","","al@force.example","Rep Two","Referral","","1","6/2/2026"`,
  'Salesforce accounts': `Account ID,Account Name,Type,Parent Account,Billing Street,Billing City,Billing State/Province,Billing Zip/Postal Code,Billing Country,Phone,Fax,Website,Industry,Annual Revenue,Employees,Rating,Account Owner,Account Description
001A,"Force, Inc",Customer - Direct,Force Holding,415 Mission St,San Francisco,CA,94105,US,(415) 555-0100,(415) 555-0102,www.force.example,Technology,"$9,500,000",1200,Hot,Rep One,Their tower is tall.`,
  'Salesforce opportunities': `Opportunity ID,Opportunity Name,Account Name,Stage,Amount,Probability (%),Close Date,Created Date,Age,Type,Lead Source,Next Step,Opportunity Owner,Primary Campaign Source,Forecast Category
006A,Tower lights,"Force, Inc",Negotiation/Review,"$120,000.00",80,12/31/2026,2/14/2026,275,New Business,Web,Call the legal team,Rep One,Spring fair,Commit`,
  'Salesforce leads, Data Loader': `"Id","FirstName","LastName","Title","Company","Street","City","PostalCode","Country","Phone","MobilePhone","Email","Website","LeadSource","Status","Industry","Rating","AnnualRevenue","NumberOfEmployees","OwnerId","IsConverted","CreatedDate","Description"
"00Q1","Lea","Der","CEO","Lead AG","Bahnhofstrasse 1","Zürich","8001","Switzerland","+41 44 000 00 00","+41 79 000 00 00","lea@lead.example","https://lead.example","Trade Show","Open - Not Contacted","Banking","Warm","2500000","80","005A","false","2026-02-01T10:00:00.000Z","Wants a demo in May."`,
  'Zoho contacts': `Record Id,Contact Owner.id,Contact Owner,Lead Source,First Name,Last Name,Account Name,Email,Title,Department,Phone,Home Phone,Other Phone,Fax,Mobile,Date of Birth,Assistant,Asst Phone,Email Opt Out,Created Time,Salutation,Secondary Email,Mailing Street,Mailing City,Mailing Zip,Mailing Country,Description,Skype ID,Twitter,Tag
zcrm_1,zcrm_9,Sam,Advertisement,Zoe,Ho,Zylker,zoe@zylker.example,Buyer,Purchasing,+91 44 1000 0001,,,+91 44 1000 0009,+91 90000 00001,1988-02-29,Anand,+91 44 1000 0002,FALSE,2026-02-03 11:00:00,Ms.,zoe.private@zylker.example,5 Beach Rd,Chennai,600001,India,Prefers calls in the morning.,zoe.ho,zoeho,vip`,
  'Zoho leads': `Record Id,Lead Owner,Company,First Name,Last Name,Title,Email,Phone,Mobile,Website,Lead Source,Lead Status,Industry,No. of Employees,Annual Revenue,Rating,Street,City,State,Zip Code,Country,Description,Created Time
zcrm_5,Sam,Kwik,Kai,Wong,Founder,kai@kwik.example,+65 6000 0000,+65 9000 0000,kwik.example,Cold Call,Contact in Future,Retail,12,300000,Active,1 Orchard Rd,Singapore,SG,238823,Singapore,Call in spring.,2026-01-09 10:00:00`,
  'Zoho deals': `Record Id,Deal Owner,Amount,Deal Name,Closing Date,Account Name,Stage,Type,Probability (%),Expected Revenue,Next Step,Lead Source,Contact Name,Reason For Loss,Description,Created Time
zcrm_7,Sam,45000,Zylker renewal,2026-11-30,Zylker,Negotiation/Review,Existing Business,75,33750,Visit,Partner,Zoe Ho,,Three years,2026-03-01 09:00:00`,
  'Google Contacts': `First Name,Middle Name,Last Name,Phonetic First Name,Phonetic Middle Name,Phonetic Last Name,Name Prefix,Name Suffix,Nickname,File As,Organization Name,Organization Title,Organization Department,Birthday,Notes,Photo,Labels,E-mail 1 - Label,E-mail 1 - Value,E-mail 2 - Label,E-mail 2 - Value,Phone 1 - Label,Phone 1 - Value,Phone 2 - Label,Phone 2 - Value,Address 1 - Label,Address 1 - Formatted,Address 1 - Street,Address 1 - City,Address 1 - PO Box,Address 1 - Region,Address 1 - Postal Code,Address 1 - Country,Website 1 - Label,Website 1 - Value,Event 1 - Label,Event 1 - Value,Custom Field 1 - Label,Custom Field 1 - Value
Zoë,Maria,Ångström,Zo-ee,,,Dr.,PhD,Zo,"Ångström, Zoë",Fjord & Sons,Buyer,Purchasing,1990-05-03,"Met in Oslo.
Likes tea.",https://lh3.example/photo.jpg,* myContacts ::: Friends,* Work,zoe@fjord.example ::: zoe2@fjord.example,Home,zoe.private@example.org,Mobile,+47 22 11 00 99,Work,+47 22 11 00 98,Home,"Storgata 1
0155 Oslo",Storgata 1,Oslo,,,0155,Norway,Profile,https://fjord.example/zoe,Anniversary,2015-06-20,Shoe size,38`,
  'Google Contacts, old': `Name,Given Name,Additional Name,Family Name,Yomi Name,Name Prefix,Name Suffix,Initials,Nickname,Birthday,Gender,Location,Occupation,Notes,Language,Photo,Group Membership,E-mail 1 - Type,E-mail 1 - Value,Phone 1 - Type,Phone 1 - Value,Address 1 - Type,Address 1 - Formatted,Organization 1 - Type,Organization 1 - Name,Organization 1 - Title,Website 1 - Type,Website 1 - Value
Grace Brewster Hopper,Grace,Brewster,Hopper,,Rear Adm.,,GBH,Amazing Grace,1906-12-09,female,Arlington,Computer scientist,Found the bug.,en,,* My Contacts ::: Navy,* Work,grace@navy.example,Work,+1 202 555 0100,Home,"1 Cobol Way, Arlington",,Navy,Rear Admiral,Blog,http://grace.example`,
  'Outlook.com': `First Name,Middle Name,Last Name,Title,Suffix,Nickname,Given Yomi,Surname Yomi,E-mail Address,E-mail 2 Address,E-mail 3 Address,Home Phone,Home Phone 2,Business Phone,Business Phone 2,Mobile Phone,Car Phone,Other Phone,Primary Phone,Pager,Business Fax,Home Fax,Other Fax,Company Main Phone,Callback,Radio Phone,Telex,TTY/TDD Phone,IMAddress,Job Title,Department,Company,Office Location,Manager's Name,Assistant's Name,Assistant's Phone,Company Yomi,Business Street,Business City,Business State,Business Postal Code,Business Country/Region,Home Street,Home City,Home State,Home Postal Code,Home Country/Region,Other Street,Other City,Other State,Other Postal Code,Other Country/Region,Personal Web Page,Spouse,Schools,Hobby,Location,Web Page,Birthday,Anniversary,Notes
Jürgen,Karl,Müller,Herr,jun.,Jogi,,,j.mueller@example.de,juergen@example.net,,030 1234567,,+49 170 1234567,,,,,,,030 1234569,,,,,,,,jm@chat.example,Geschäftsführer,Leitung,Müller & Söhne GmbH,Haus 3,Frau Chef,Uwe,030 1234570,,Hauptstr. 5,Berlin,BE,10115,Deutschland,Nebenstr. 6,Potsdam,BB,14467,Deutschland,,,,,,https://mueller.example/jk,Anke,TU Berlin,Segeln,Berlin-Mitte,https://mueller.example,1970/03/04,1999/09/09,Ruft gern zurück.`,
  'Apple Contacts in Numbers': `First,Middle,Last,Nickname,Company,Department,Job Title,Work Email,Home Email,iPhone,Mobile,Work Phone,Home Fax,Home Page,Birthday,Work Street,Work City,Work ZIP,Note,Related Names
Tim,J,Apple,Timmy,Orchard,Pies,Baker,tim@orchard.example,tim@home.example,+1 408 555 0111,+1 408 555 0112,+1 408 555 0113,+1 408 555 0114,https://orchard.example/tim,1961-05-13,1 Loop,Cupertino,95014,Bakes.,Ann (sister)`,
  Mailchimp: `Email Address,First Name,Last Name,Address,Phone Number,Birthday,Company,MEMBER_RATING,OPTIN_TIME,OPTIN_IP,CONFIRM_TIME,CONFIRM_IP,LATITUDE,LONGITUDE,GMTOFF,DSTOFF,TIMEZONE,CC,REGION,LAST_CHANGED,LEID,EUID,NOTES,TAGS
mia@chimp.example,Mia,Chimp,"3 Tree Ln, Atlanta, GA",404-555-0100,05/03,Jungle LLC,4,2026-01-02 03:04:05,203.0.113.7,2026-01-02 03:05:05,203.0.113.7,33.7490000,-84.3880000,-5,-4,America/New_York,US,GA,2026-02-02 10:00:00,112233,ab12cd,Asked for bananas,"""vip"",""newsletter"""`,
  'LinkedIn connections': `Notes:
"When exporting your connection data, you may notice that some of the email addresses are missing."

First Name,Last Name,URL,Email Address,Company,Position,Connected On
Lin,Ked,https://www.linkedin.com/in/linked,,"Net, Inc.",Head of Nets,04 May 2026
Ema,Il,https://www.linkedin.com/in/email,ema@net.example,"Net, Inc.",,15 Nov 2025`,
  'Attio people': `Record ID,Record,Name > First name,Name > Last name,Email addresses,Phone numbers,Job title,Company,Description,LinkedIn,Twitter,Primary location,Last interaction,Connection strength,Twitter follower count,Created at,Created by
a1,Ati Opal,Ati,Opal,"ati@attio.example, ati@opal.example",+33 1 23 45 67 89,Designer,Opal SAS,Paints walls.,https://linkedin.com/in/ati,https://twitter.com/ati,"Paris, FR",2026-07-01T12:00:00.000Z,Strong,1500,2026-06-01T12:00:00.000Z,Sam`,
  'Attio companies': `Record ID,Name,Domains,Description,Categories,Primary location,Estimated ARR,Funding raised,Employee range,Foundation date,Twitter,Team,Created at
c1,Opal SAS,opal.example,Paint and varnish.,"B2B, Paint","Paris, FR",$1M-$10M,$2500000,11-50,2012-03-01,https://twitter.com/opal,Ati Opal,2026-06-01T12:00:00.000Z`,
  Folk: `First name,Last name,Full name,Gender,Job title,Birthday,Description,Company,Emails,Phones,URLs,Addresses,Groups,Status,Last contacted by,Last contacted at
Fay,Olk,Fay Olk,Female,Curator,1985-07-09,Runs a gallery.,Olk Arts,fay@olk.example,+32 2 555 00 00,https://olk.example,"Rue Haute 1, Brussels",Artists,In talks,Sam,2026-08-08`,
  'Copper people': `Copper ID,Name,Prefix,First Name,Middle Name,Last Name,Suffix,Title,Company,Company Id,Work Email,Personal Email,Other Email,Work Phone,Mobile Phone,Home Phone,Street,City,State,Postal Code,Country,Work Website,LinkedIn,Twitter,Contact Type,Owned By,Source,Details,Inactive Days,Last Contacted,Interaction Count,Tags,Created At,Updated At
55,Cora May Opper,Mrs.,Cora,May,Opper,,Owner,Opper Wires,77,cora@opper.example,cora@home.example,,+1 303 555 0100,+1 303 555 0101,,9 Mine Rd,Denver,CO,80202,US,https://opper.example,https://linkedin.com/in/cora,,Current Customer,Sam,Referral,Pays early.,3,2026-07-07,14,"wire, copper",2026-01-01 10:00:00,2026-07-08 10:00:00`,
  'Copper opportunities': `Copper ID,Name,Company,Company Id,Company Phone,Company Website,Primary Contact,Primary Contact Id,Contact Phone,Contact Title,Pipeline,Stage,Status,Value,Currency,Close Date,Win Probability,Priority,Source,Owned By,Loss Reason,Details,Tags,Created At,Completed Date
66,Wires 2026,Opper Wires,77,+1 206 555 0100,https://opper.example,Cora Opper,55,+1 206 555 0101,Head of Wires,Sales,Qualified,Open,8000,USD,10/31/2026,40,High,Referral,Sam,,Two shipments,wire,3/15/2026 09:00,`,
  'Capsule people': `ID,Type,Title,First Name,Last Name,Job Title,Organisation,Created,Updated,Last Contacted,Owner,Team,Tags,About,Address Street,City,State,Postcode,Country,Email Address,Email Address 2,Phone Number,Mobile Phone,Website,Skype
12,Person,Mr,Cap,Sule,Chemist,Sule Labs,2026-01-02,2026-02-03,2026-03-04,Sam,,"pharma,lab",Tests things.,1 Flask St,Leeds,,LS1 1AA,United Kingdom,cap@sule.example,cap2@sule.example,0113 496 0000,07700 900111,https://sule.example,cap.sule`,
  'Capsule opportunities': `ID,Name,Description,Contact,Organisation,Value,Currency,Milestone,Probability,Expected Close,Owner,Created,Closed,Lost Reason,Duration,Tags
34,Lab benches,Twenty benches,Cap Sule,Sule Labs,15400,GBP,Proposal,60,2026-12-15,Sam,2026-04-05,,,3 months,lab`,
  'Streak boxes': `Box Key,Name,Stage,Notes,Assigned To,Freshness,Total Emails,Deal Size,Close Date,Contact,Organization,Date Created,Last Updated
agx1,Strek fair,Pitched,Send slides,sam@seller.example,12.5,8,$4500,2026-10-01,stella@strek.example,Strek,2026-05-05,2026-06-06`,
  Notion: `Name,Company,Email,Phone,Status,Last touch,Priority,Tags,Newsletter,URL
Nora Tion,Block Co,nora@block.example,+1 646 555 0100,In talks,"November 3, 2026",High,"Design, Remote",Yes,https://block.example
Noah Tion,Block Co,noah@block.example,,Cold,"October 1, 2026",Low,Design,No,`,
  Airtable: `Name,Email,Phone,Company,Role,Attachments,Checked in,Rating,Budget,Next call,Created,Linked deals,Autonumber
Ari Table,ari@table.example,(212) 555-0100,Table Co,Founder,card.pdf (https://dl.example/card.pdf),checked,5,"$1,200.00",2026-12-01,2026-05-01T10:00:00.000Z,Deal 1,1
Ava Table,ava@table.example,(212) 555-0101,Table Co,CTO,,,4,"$800.00",2026-12-02,2026-05-02T10:00:00.000Z,,2`,
  'Monday board': `Name,Status,Owner,Deal Value,Close Probability,Expected Close Date,Contacts,Accounts,Stage,Deal creation date,Last interaction
Mon deal,Working on it,Sam,7000,50,2026-09-30,Moni Day,Day Works,Discovery,2026-02-20,2026-03-21`,
  'Freshsales contacts': `Contact id,First name,Last name,Job title,Emails,Work phone,Mobile,Address,City,State,Zipcode,Country,Time zone,Facebook,LinkedIn,Lead source,Lifecycle stage,Status,Accounts,Sales owner,Created at,Last contacted time,Score,Medium,Keyword
8,Fred,Fresh,Cook,fred@fresh.example,+1 512 555 0100,+1 512 555 0101,5 Mint St,Austin,TX,73301,USA,Central Time,fredfresh,https://linkedin.com/in/fred,Chat,Lead,Contacted,Fresh Foods,Sam,2026-03-03 10:00,2026-04-04 11:00,72,cpc,mint`,
  Insightly: `Record ID,Salutation,First Name,Last Name,Background,Business Phone,Home Phone,Mobile Phone,Fax,Email Address,Linkedin,Organisation,Role,Mail Address Street,Mail Address City,Mail Address Postal Code,Mail Address Country,Important Date 1 Name,Important Date 1,Contact Tag 1,Contact Tag 2,Date Created
3,Mr.,Ines,Light,Knows everybody.,+61 2 5550 0100,,+61 400 000 100,+61 2 5550 0109,ines@light.example,https://linkedin.com/in/ines,Light Pty,Broker,7 Sun St,Sydney,2000,Australia,Anniversary,2019-01-31,sun,east,2026-02-02`,
  Brevo: `CONTACT ID,EMAIL,LASTNAME,FIRSTNAME,SMS,WHATSAPP,DOUBLE_OPT-IN,OPT_IN,ADDED_TIME,MODIFIED_TIME,JOB_TITLE,LINKEDIN
4,bre@vo.example,Vo,Bre,33600000000,,1,Yes,2026-01-05 09:00:00,2026-02-06 09:00:00,Chef,https://linkedin.com/in/bre`,
  Thunderbird: `First Name,Last Name,Display Name,Nickname,Primary Email,Secondary Email,Screen Name,Work Phone,Home Phone,Fax Number,Pager Number,Mobile Number,Home Address,Home Address 2,Home City,Home State,Home ZipCode,Home Country,Work Address,Work City,Work ZipCode,Work Country,Job Title,Department,Organization,Web Page 1,Web Page 2,Birth Year,Birth Month,Birth Day,Custom 1,Notes
Thea,Bird,Thea Bird,Birdie,thea@bird.example,thea@nest.example,theab,+43 1 555 0100,,+43 1 555 0109,,+43 660 000000,Ring 1,Top 4,Wien,W,1010,Österreich,Gasse 2,Wien,1020,Österreich,Pilot,Flight,Bird AG,https://bird.example,https://nest.example,1984,2,29,Left-handed,Flies south.`,
  Yahoo: `First,Middle,Last,Nickname,Email,Category,Distribution Lists,Messenger ID,Home,Work,Pager,Fax,Mobile,Other,Yahoo Phone,Primary,Alternate Email 1,Personal Website,Business Website,Title,Company,Work Address,Work City,Work ZIP,Birthday,Anniversary,Comments
Ya,H,Hoo,Yaya,ya@hoo.example,Friends,,ya_h,+1 408 555 0120,+1 408 555 0121,,+1 408 555 0129,+1 408 555 0122,,,,ya2@hoo.example,https://ya.example,https://hoo.example,Editor,Hoo Media,2 Purple Ave,Sunnyvale,94089,7/4/1979,6/6/2006,Collects stamps.`,
  'Close leads': `id,display_name,description,url,status_label,primary_contact_name,primary_contact_first_name,primary_contact_primary_email,primary_contact_primary_phone,primary_contact_title,primary_address_1,primary_city,primary_country,num_calls,num_emails,date_created,custom.Industry
lead_1,Klose GmbH,Sells doors.,https://klose.example,Potential,Kim Klose,Kim,kim@klose.example,+49 89 5550100,Chefin,Torweg 1,München,DE,4,9,2026-01-08T10:00:00.000Z,Doors`,
  Nimble: `person id,first name,middle name,last name,title,company,email (work),email (personal),phone (work),phone (mobile),address (work),url (work),twitter,linkedin,description,tags,lead status,rating,created date,last contacted
n1,Nim,B,Ble,Runner,Ble Sports,nim@ble.example,nim@home.example,+1 310 555 0100,+1 310 555 0101,"1 Track Rd, LA",https://ble.example,@nim,https://linkedin.com/in/nim,Runs fast.,sport,Qualified,5,2026-03-09,2026-05-10`,
  'Stripe customers': `id,Description,Email,Name,Created (UTC),Delinquent,Card ID,Card Brand,Card Last4,Plan,Status,Total Spend,Payment Count,Refunded Volume,Currency,Default Source,Business Vat ID
cus_1,Customer since the beta,stri@pe.example,Stri Pe,2026-01-10 10:00,false,card_1,Visa,0042,pro,active,1499.00,12,0.00,usd,card_1,DE123456789`,
  'Shopify customers': `Customer ID,First Name,Last Name,Email,Accepts Email Marketing,Default Address Company,Default Address Address1,Default Address City,Default Address Province Code,Default Address Country Code,Default Address Zip,Default Address Phone,Phone,Total Spent,Total Orders,Note,Tax Exempt,Tags
'770,Shop,Iffy,shop@iffy.example,yes,Iffy Store,5 Cart St,Ottawa,ON,CA,K1A 0B1,+1 613 555 0100,+1 613 555 0101,240.50,3,Likes blue,no,"loyal, blue"`,
  'Eventbrite attendees': `Order #,Order Date,First Name,Surname,Email,Quantity,Ticket Type,Attendee #,Total Paid,Currency,Attendee Status,Company,Job Title,Cell Phone,What do you want to learn?
91001,2026-03-02 14:22:10+01:00,Eve,Brite,eve@brite.example,1,Early bird,771,49.00,EUR,Attending,Brite Ltd,Lamp maker,+353 1 555 0100,"How to sell lamps, and to whom"`,
  'German list of customers': `Kundennr.;Anrede;Vorname;Nachname;Firma;Position;E-Mail;Telefon;Mobil;Straße;PLZ;Ort;Land;Geburtstag;Umsatz 2025;Newsletter;Vertragsende;Bemerkungen
00017;Frau;Käthe;Krüger;Krüger Bau;Prokuristin;kaethe@krueger.example;030 5550100;0171 5550100;Lindenallee 4;04109;Leipzig;Deutschland;03.05.1975;12.500,50 €;ja;31.12.2027;Ruft montags an.
00018;Herr;Jörg;Öhm;Öhm KG;;joerg@oehm.example;;;Am Markt 1;01067;Dresden;Deutschland;;899,00 €;nein;30.06.2026;`,
  'French list of prospects': `Civilité;Prénom;Nom;Société;Fonction;Courriel;Téléphone;Portable;Adresse;Code postal;Ville;Effectif;Client depuis;Actif;Commentaire
Mme;Élise;Dupré;Dupré & Fils;Gérante;elise@dupre.example;01 23 45 67 89;06 12 34 56 78;3 rue Haute;69001;Lyon;45;12/03/2019;oui;À rappeler`,
  'Spanish deals': `Nombre del negocio;Importe;Etapa;Fecha de cierre;Empresa;Contacto;Probabilidad;Competidor;Renovación
Reforma Sol;4.500,00;Propuesta;31/12/2026;Sol SL;Lucía Sol;60 %;Luna SA;sí`,
  'Xero contacts': `*ContactName,AccountNumber,EmailAddress,FirstName,LastName,POAttentionTo,POAddressLine1,POCity,PORegion,POPostalCode,POCountry,SAAttentionTo,SAAddressLine1,SACity,SARegion,SAPostalCode,SACountry,PhoneNumber,FaxNumber,MobileNumber,DDINumber,SkypeName,X,TaxNumber
Mill & Sons,M-07,mia@mill.example,Mia,Mill,Accounts,PO Box 7,Leeds,West Yorkshire,LS1 1AA,United Kingdom,Reception,Mill Lane 1,York,North Yorkshire,YO1 1AA,United Kingdom,+44 113 555 0100,+44 113 555 0101,+44 7700 900001,+44 113 555 0102,mia.mill,https://x.com/mia,GB123456789`,
  'Pipedrive people with addresses': `Person - Name,Person - Email - Work,Person - Postal address,Person - Apartment/suite no of Postal address,Person - House number of Postal address,Person - Street/road name of Postal address,Person - City/town/village/locality of Postal address,Person - State/county of Postal address,Person - Country of Postal address,Person - ZIP/Postal code of Postal address,Person - Full/combined address of Postal address
Pia Pipe,pia@pipe.example,"Hauptstraße 5, 10115 Berlin",3b,5,Hauptstraße,Berlin,BE,Germany,10115,"Hauptstraße 5, 10115 Berlin, Germany"`,
  'Salesforce opportunities with contact roles': `Opportunity Name,Account Name,Contact Name,Email,Contact Role,Title,Amount,Stage
Tower lights,"Force, Inc",Sal Force,sal@force.example,Decision Maker,"SVP, Sales",1200,Prospecting
Tower lights,"Force, Inc",Sal Force,sal@force.example,Economic Buyer,Chief of Lights,1200,Prospecting`,
  'Deals with several people': `Deal Name,Amount,Stage,Status,Company,Contact 1,Contact 1 Email,Contact 2,Contact 2 Email,Contact 3
Loom,900,Offer,Won,Weave AG,Wim Weave,wim@weave.example,Wanda Web,wanda@weave.example,Wolf Wool; Willa Warp
Spindle,100,Demo,Open,Weave AG,Wim Weave,wim@weave.example,,,Wanda Web`,
}

/** The same in other languages, in the encodings that spreadsheets there write. */
export const foreignFiles: Record<string, { encoding: TextEncoding; text: string }> = {
  'an Italian list of contacts': {
    encoding: 'windows-1252',
    text: `Nome;Cognome;Ragione sociale;Ruolo;Indirizzo e-mail;Cellulare;Telefono ufficio;Indirizzo;CAP;Città;Provincia;Sito web;Data di nascita;Codice fiscale;Osservazioni
Niccolò;Bianchè;Caffè Perù S.r.l.;Responsabile qualità;niccolo@caffe.example;+39 333 000 0001;+39 06 000 0002;Via Roma 5;00100;Roma;RM;https://caffe.example;05/03/1984;BNCNCL84C05H501X;Preferisce il caffè, però più forte.
Zoè;D'Amicò;Città Più;;zoe@citta.example;;;Via Po 7;10100;Torino;TO;;;DMCZOE80A01L219Y;È già cliente.`,
  },
  'Portuguese deals': {
    encoding: 'utf-8',
    text: `Título,Valor,Moeda,Etapa,Estado,Funil,Data de fechamento,Organização,Pessoa de contato,Ganho em,Perdido em,Motivo da perda,Observação interna
Máquina de café,"1.200,50",BRL,Negociação,Aberto,Vendas,31/12/2026,São João Ltda,João Conceição,,,,Ligar à tarde
Máquina de gelo,"800,00",BRL,Negociação,Ganho,Vendas,31/03/2026,São João Ltda,João Conceição,30/03/2026,,,
Máquina de pão,"90,00",EUR,Proposta,Perdido,Vendas,,Pão & Cia,,,28/02/2026,Preço,Só em 2027`,
  },
  'Dutch contacts': {
    encoding: 'windows-1252',
    text: `Voornaam;Tussenvoegsel;Achternaam;Bedrijf;Functie;E-mailadres;Mobiel;Straat;Postcode;Plaats;Land;Verjaardag;Opmerkingen;Klant sinds
Daniël;van de;Boër;Coöperatie Één;Financiën;daniel@een.example;+31 6 0000 0001;Dorpsstraat 1;1234 AB;'s-Gravenhage;Nederland;24-12-1980;Belt 's ochtends;2019
Zoë;;Müller;Café Olé;;zoe@ole.example;;;;;;;;2021`,
  },
  'Swedish companies': {
    encoding: 'windows-1252',
    text: `Företagsnamn;Organisationsnummer;Bransch;Hemsida;Gatuadress;Postnummer;Ort;Telefon;E-post;Antal anställda
Ångkraft Örebro AB;556000-0001;Energi;angkraft.example;Ågatan 3;702 22;Örebro;+46 19 000 001;info@angkraft.example;12
Sjö & Fjäll HB;916000-0002;Handel;;Sjövägen 9;831 30;Östersund;+46 63 000 002;;3`,
  },
  'Polish deals': {
    encoding: 'windows-1250',
    text: `Nazwa szansy;Kwota;Waluta;Etap;Stan;Przewidywana data zamknięcia;Firma;Osoba kontaktowa;Data wygranej;Powód utraty;Źródło
Łódź – wdrożenie;12 000,50;PLN;Oferta;Otwarta;31.12.2026;Żółw Sp. z o.o.;Łucja Wiśniewska;;;Polecenie
Kraków – próba;900;PLN;Oferta;Wygrana;30.04.2026;Żółw Sp. z o.o.;Łucja Wiśniewska;29.04.2026;;Targi
Gdańsk – gęś;70;EUR;Rozmowa;Przegrana;15.05.2026;Gęś S.A.;Świętosław Zięba;;Za drogo;Targi`,
  },
  'Polish contacts': {
    encoding: 'windows-1250',
    text: `Imię;Nazwisko;Firma;Stanowisko;Adres e-mail;Telefon służbowy;Ulica;Kod pocztowy;Miasto;Kraj;Uwagi;NIP
Grażyna;Żądło;Źródło Sp. z o.o.;Księgowa;grazyna@zrodlo.example;+48 22 000 00 01;Świętokrzyska 5;00-001;Łódź;Polska;Dzwonić później.;525-000-00-01
Michał;Ćwikła;Źródło Sp. z o.o.;;michal@zrodlo.example;;;;;;;525-000-00-02`,
  },
  'Russian contacts under English headers': {
    encoding: 'windows-1251',
    text: `First Name,Last Name,Company,Job Title,Email,Mobile,City,Notes,Manager
Иван,Петров,Ромашка,Директор,ivan@romashka.example,+7 900 000 00 01,Москва,Звонить после обеда,Анна Сергеева
Ольга,Щукина,Ёлка,Бухгалтер,olga@elka.example,+7 900 000 00 02,Санкт-Петербург,Любит чай,Анна Сергеева`,
  },
  'Japanese contacts': {
    encoding: 'shift_jis',
    text: `姓,名,会社名,部署,役職,メールアドレス,電話番号,携帯電話,郵便番号,都道府県,市区町村,住所,備考,入社年
山田,太郎,山田商事株式会社,営業部,部長,taro@yamada.example,03-0000-0001,090-0000-0001,100-0001,東京都,千代田区,千代田1-1,午後に電話,平成元年
鈴木,花子,鈴木工業,,係長,hanako@suzuki.example,06-0000-0002,,530-0001,大阪府,大阪市,梅田2-2,,令和二年`,
  },
  'Japanese deals': {
    encoding: 'shift_jis',
    text: `商談名,金額,通貨,フェーズ,完了予定日,会社名,担当者名,受注日,失注日,失注理由,備考欄
新システム導入,"1,200,000",JPY,提案,2026/12/31,山田商事株式会社,山田 太郎,,,,予算確認中
保守契約,"300,000",JPY,受注,2026/04/30,山田商事株式会社,山田 太郎,2026/04/28,,,
追加開発,"90,000",JPY,失注,2026/05/31,鈴木工業,鈴木 花子,,2026/05/20,価格,来年もう一度`,
  },
  'Chinese contacts under English headers': {
    encoding: 'gbk',
    text: `First Name,Last Name,Company,Job Title,Email,Mobile,City,Notes,Region code
小明,王,北京科技有限公司,经理,wang@beijing.example,+86 138 0000 0001,北京,下午打电话,华北
伟,张,上海贸易公司,采购,zhang@shanghai.example,+86 138 0000 0002,上海,喜欢喝茶,华东`,
  },
}

/** What stands for each letter of an encoding, by trying all that it can read. */
function bytesOf(encoding: TextEncoding): Map<string, number[]> {
  const decoder = new TextDecoder(encoding)
  const known = new Map<string, number[]>()
  const add = (bytes: number[]) => {
    const letter = decoder.decode(new Uint8Array(bytes))
    if ([...letter].length === 1 && letter !== '\uFFFD' && !known.has(letter))
      known.set(letter, bytes)
  }
  for (let byte = 0; byte < 256; byte += 1) add([byte])
  if (encoding === 'shift_jis' || encoding === 'gbk') {
    for (let lead = 0x81; lead < 0xff; lead += 1) {
      for (let trail = 0x40; trail < 0xff; trail += 1) add([lead, trail])
    }
  }
  return known
}

const tables = new Map<TextEncoding, Map<string, number[]>>()

/** A text in the bytes of an encoding; Node itself writes UTF-8 only. */
export function encoded(text: string, encoding: TextEncoding): Uint8Array<ArrayBuffer> {
  if (encoding === 'utf-8') return new TextEncoder().encode(text)
  const table = tables.get(encoding) ?? bytesOf(encoding)
  tables.set(encoding, table)
  return new Uint8Array(
    [...text].flatMap((letter) => {
      const bytes = table.get(letter)
      if (!bytes) throw new Error(`${encoding} has no ${letter}.`)
      return bytes
    }),
  )
}
