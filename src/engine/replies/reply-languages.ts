/**
 * Words of further languages, by the concepts of `reply-vocabulary.ts` and in its notation. They are
 * matched as they stand: misspellings and compounds are looked up in the main table only, because a
 * short foreign word is one letter away from many English ones.
 */
export const FURTHER_WORDS_OF: Readonly<Record<string, string>> = {
  // Slovenian, Croatian, Serbian, Macedonian, Slovak, Bulgarian, Ukrainian.
  mailbox: `uporabnik* nabiralnik* predal* postni_predal korisnik* korisnic* nalog naloga racun racuna sanduc* pretinac
    корисни* налог налога сандуче сандучe pouzivatel* pouzivatelsk* потребител* кутия кутията профил* акаунт*
    користувач* скриньк* обліков* utilizator* contul casuta casutei cutia_postala felhasznal* postafiok* fiok fiokot fioka
    χρηστη* χρηστησ λογαριασμ* γραμματοκιβωτι* θυριδα bruger brugeren brugernavn* brugerkonto* postkasse* kontoen
    bruker brukeren brukernavn* brukarkonto* brukaren brukerkonto* kayttaja* kayttajatil* tilia tilin tili postilaatik* notandi notandinn notanda
    notandanafn reikning* postholf* kasutaja* kontot postkast* lietotaj* konts konta kontu pastkast* vartotoj*
    paskyr* dezut* pengguna akun akaun peti_surat kotak_surat kotak_masuk pemilik nguoi_dung tai_khoan hop_thu
    משתמש המשתמש החשבון חשבון תיבה התיבה תיבת תיבת_הדואר תיבת_דואר مستخدم المستخدم للمستخدم حساب الحساب صندوق صندوق_البريد علبة کاربر کاربری
    kullanici* hesap hesabi hesabiniz posta_kutusu usuari bustia gebruikersnaam e_llogari perdorues*`,
  recipient: `prejemnik* naslovnik* primatelj* primalac primaoc* примател* примач* одержувач* получателят
    παραληπτη* mottaker* mottakar* vidtakand* saaja saajat sanemej* sanemeja gavej* gavejas penerima nguoi_nhan
    נמען הנמען المستلم مستلم المرسل_اليه گیرنده destinatara prijemcu adresatas`,
  address: `naslov naslova poslovni_naslov cim cime cimet emailcim osoite osoitetta osoitteen sahkopostiosoit* netfang*
    aadress* adrese adreses adresas adresata alamat dia_chi διευθυνση* כתובת הכתובת عنوان العنوان آدرس نشانی adressen
    adresa_elektronicke адреса адресе адресата адресът`,
  mail: `sporocil* poruk* порук* sprav* писмо mesaj* mesajul uzenet* level levelet μηνυμα* besked* melding* viesti viestia meddeland* postur skeyti kiri kirja vestul* laisk* surel pesan thu_dien_tu email_adres הודעה הודעות דואר رسالة الرسالة البريد پیام ایمیل
    eposta e_posta ileti`,
  domain: `domena domene domeno domeni домен домейн* домена domeniul domeniu tartomany* τομεα* verkkotunnu* len domeenid
    domens domenas tenmien ten_mien דומיין نطاق النطاق دامنه alan_adi`,
  unknown: `neobstojec* neznan* nepostojec* nepoznat* непостоје* непознат* neexistuj* nenajden* nenasl* nejestv* несъществ*
    непозн* nerecunoscut* nem_letezo ανυπαρκτ* αγνωστο* ukendte findes_ikke finnes_ikke eksisterer_ikke tuntematonta othekkt* er_ekki_til
    ekki_til fyrirfinnst_ekki tundmatu puudub puuduvad neeksist* nezinam* nepastav* neegzist* nerast* nezinom* khong_ton_tai khong_tim_thay
    לא_ידוע لا_يوجد مجهول ناشناس ناشناخته وجود_ندارد یافت_نشد پیدا_نشد bulunmuyor bulunmamaktadir bilinmeyen
    er_ikke_her ikke_her tidak_ada taninmayan taninmiyor tanimsiz kayitsiz neznamo nepoznato nu_exista tiada`,
  exist: `con_ese_nombre por_ese_nombre con_este_nombre con_tal_nombre obstaja obstajajo najden najdena najdeno postoji postoje pronaden* pronadjen* registrovan* registriran*
    постоји постоје пронађен* постои najdeny existuju nasiel nasla съществува* намерен* открит* регистриран* існує
    gasit gasita inregistrat* letezo talalhato talalt regisztral* υπαρχουν βρεθηκε βρεθηκαν eksisterer fundet oprettet registreret
    funnet eksisterar registrert olemassa loydy loydykaan loytyny* loytynyt rekisteroity* til_stadar finnst fannst skrad* olemas
    eksisteeri leitud registreeritud eksiste atrasts atrasta atrasti registrets registreta egzistuoja rastas rasta registruot*
    ada ditemukan terdaftar dikenal dikenali wujud dijumpai ton_tai tim_thay dang_ky קיים קיימת נמצא נמצאה מוכר מוכרת רשום
    موجود موجودة يوجد توجد العثور معروف مسجل وجود kayitli mevcut_degil existeix trobat trobada figura_en`,
  not: `ikke ei eivat ekki nav nera nije nisu није нису δεν δε μη tidak bukan belum khong chua לא אינו אינה אין غير لا لم ليس نیست
    degil degildir pole не_е nu_a_fost nu_este nu_a_fost_gasit ni_bilo ni_bil ni_bila ni_najden nebol nebola nebolo nebyl nebyla`,
  no: `ingen inget intet nema нема няма nincs nincsen ningu cap_usuari nikto khong_co no_hay_nadie ni_uporabnika nav_tada
    keegi`,
  such: `tak tak_y takav takva такав такъв такава ilyen slik sadan sadant tallaista slikur tokio tads tada boyle bu itu tersebut
    כזה زה بهذا هذا این`,
  here: `tukaj ovdje ovde овде тук aici itt εδω taalla her_a siin seit cia di_sini פה כאן هنا اینجا burada`,
  invalid: `neveljav* nevazec* neispravn* неважећ* neplatny невалид* gresit* gresita ervenytelen* hibas μη_εγκυρ* ακυρ* ugyldig* virheelli*
    kehtetu* vigane nederig* neteising* tidak_valid tidak_sah khong_hop_le שגוי שגויה غير_صالح غير_صحيح نامعتبر gecersiz hatali yanlis`,
  closed: `onemogocen* deaktivir* zaprt* izbrisan* ukinjen* onemoguc* zatvoren* ugasen* obrisan* suspendiran* suspendovan* iskljucen*
    деактивиран* деактивован* угашен* избрисан* затворен* обрисан* суспендован* искључен* deaktivovan* vymazan* zrusen* zrusil* pozastaven*
    изтрит* блокиран* спрян* dezactivat* suspendat* inchis* blocat* sters* letiltv* letiltot* letilt felfuggeszt* torolt* torolv*
    megszun* megszuntet* zarolt* zarolv* lejart απενεργοποι* κλειστ* διαγραφ* ανενεργ* κλειδωμ* ανασταλ* εληξε deaktiveret lukket
    sparret spaerret slettet nedlagt udlobet deaktivert stengt sperret avsluttet utlopt suljettu poistettu lukittu passivoitu
    poistunut vanhentunut lakkautet* lokad* ovirk* eytt suletud kustutatud deaktiveerit* blokeerit* peatatud slegts slegta slegt dzests
    dzesta deaktivet* blokets apturet* isjungt* uzdaryt* istrint* uzblokuot* neaktyv* sustabdyt* dinonaktifkan nonaktif ditutup
    dihapus ditangguhkan dibekukan digantung kedaluwarsa vo_hieu vo_hieu_hoa bi_khoa da_khoa bi_xoa da_xoa tam_ngung tam_khoa dinh_chi
    ngung_hoat_dong מושבת מושבתת מושעה מושעית נסגר סגור סגורה נמחק נמחקה הושבת מוקפא חסום חסומה معطل معطلة مغلق مغلقة موقوف محذوف محذوفة متوقف تعطيل
    غیرفعال غیر_فعال مسدود بسته حذف_شده معلق devre_disi kapatil* kapatilmis dondurul* askida silin* silinmis`,
  active: `aktivan aktivna aktiven aktyvus aktyvi aktywne aktivni aktivt aktivni פעיל פעילה نشط نشطة فعال`,
  gone: `ne_vec nije_vise vise_ne vec_ne uz_nie mar_nem δεν_ειναι_πια ikke_lengere ikke_lenger ei_enaa enam_ei vairs nebe nebera tidak_lagi khong_con כבר_לא لم_يعد دیگر artik`,
  full: `poln polna prepoln* puna pun_je prepun* пуна пун препълн* пълна пълен plny preplnen* plina megtelt betelt tele_van γεματ* πληρες
    fyldt fuld fullt fulla full_postkasse taynna tayttynyt fullur tais_postkast pilns pilna pilnas perpildyt* uzpildyt* penuh bi_day da_day
    מלאה מלא ممتلئ ممتلئة ممتلئه پر dolu dolmus overvuld`,
  quota: `prostor* kvot* квот* простор* priestor* miesto_na spatiu* spatiul tarhely* tarterulet* χωρο* plads lagerplads lagringsplass
    tila_loppu kiintio* ruum vieta vietos atminties ruang kuota dung_luong שטח מכסה مساحة المساحة حصة فضا فضای kota kotasi`,
  exceed: `presezen* prekoracen* прекорач* prekroc* надвиш* depasit* tullep* meghalad* υπερβ* overskred* ylitet* ylitty* uletat* parsniegt* virsyt*
    melebihi vuot_qua חריגה تجاوز تجاوزت asildi asti asilmis`,
  sender: `posiljatelj* posiljalac* пошиљал* odosielatel* подател* відправник* expeditor* felado* αποστολε* avsender* afsender* lahettaja* sendand*
    saatja* sutitaj* siuntej* pengirim nguoi_gui שולח השולח المرسل فرستنده gonderen`,
  reject: `zavrnjen* odbijen* одбијен* odmietnut* отхвърлен* відхилен* respins* elutasit* visszautasit* απορριφ* afvist avvist hylatty hafnad
    tagasi_lukatud noraidit* atmest* ditolak tu_choi נדחה נדחתה رفض مرفوض رد_شد reddedildi kabul_edilmedi`,
  later: `kasneje zacasno kasnije privremeno привремено neskor docasne временно тимчасово mai_tarziu temporar* kesobb atmenetileg αργοτερα
    προσωριν* senere midlertidig* myohemmin tilapais* seinna hiljem ajutiselt velak islaicigi veliau laikinai nanti sementara sau_do tam_thoi
    מאוחר زמנית لاحقا مؤقتا بعدا موقت daha_sonra gecici`,
  access: `dostopa pristup* достъп* hozzaferes προσβαση adgang tilgang paasy juurdepaas prieiga akses truy_cap גישה وصول دسترسی erisim`,
};

/**
 * Words of a sentence without a meaning of their own: articles, prepositions, pronouns, auxiliary verbs,
 * greetings. A word that is neither here nor in the vocabulary is one whose meaning is not known.
 */
export const FUNCTION_WORDS = `
  a an the of at to in on into onto within for by with as and or but if then than so too also only just any all each every both one
  some it its it's i i'm me my he she they them their there there's these those that this which who whom whose what when where why how
  is are was were be been being am isn am do does did done has had will would shall should may might must can could get gets got
  up out off via per re well very please pls sir dear hi hello hey thanks thank regards yet still already either neither nor because
  since while until about against between through during before after under same other another own itself himself
  currently actually really longer specified given named called following requested now appear appears seem seems his him hers her he she said says answered replied responded reported last recent recently since
  unter dit deze ten tego tym pod przez tato teto tom te zde neste nesta naquele denne dette detta ezen azon ennek tassa talla этому этом intended set configured able setup try tried trying
  ist sind war wurde wird werden worden sein hat haben der die das den dem des ein eine einer eines einem einen und oder auf an am im in
  zu zum zur von vom mit bei fur fuer aus nach es wir sie er man kann kein mehr leider bitte nur
  le la les l un une des du de d et ou au aux dans sur par pour avec est sont a ete etre il elle ce cette ces se s n que qui on en y
  el los las lo una unos unas del al y o u por para con es son ha sido esta este ser en se le que su
  il lo gli i della dello dei degli delle di da nel nella con per e ed o stato stata esserci
  os as um uma do da dos das no na nos nas em foi ser com e ou que ao
  het een en of op te van voor met is zijn werd wordt aan bij
  w z na do i lub jest zostal zostala dla po o ze sie
  v na pre alebo je su bol bola si sa ktory
  i u sa je su bio bila koji
  и в на для с по от из это этот что был была было у он она так се е да ли към та те
  в у на з до це цей
  og eller er i pa til av af som det den de en et var ble blev har
  ja on ole ollut oli tama se
  az ez egy es van volt a
  si sau este sunt un o in la pe cu pentru din
  ο η το του της των και ή στο στη στον για με απο ειναι εχει
  ve veya ile bir icin bu
  di ke dari yang dan atau untuk pada telah sudah ini itu adalah
  cua cho trong va la nay da duoc
  של את על עם זה הוא היא או
  في من على الى هذا هذه هو هي او مع تم قد
  از به در که این آن است شده شد و را
`;
