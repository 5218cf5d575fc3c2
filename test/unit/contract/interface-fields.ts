/**
 * Every field and every root that the interface document names, in the order of its first mention: read from its
 * "Resources and their fields", "Endpoints" and, for the acknowledgement, "Events".
 */
export const interfaceFields: readonly string[] = `
  Type Document Name ReferenceVersion Party Sender TravelAgencySender IATA_Number AgencyID Contacts Contact
  EmailContact Address Success ShoppingResponseId OrderID GdsBookingReference MetaData TraceId OfferResponseId
  ServiceListResponseId SeatResponseId TktRequestId BookingCurrencyPrice EquivCurrencyPrice Penalty
  BookingCurrencyCode EquivCurrencyCode BookingToEquivExRate Order OrderViewRS PricedOffer Offer OrderStatus
  PaymentStatus TicketStatus PnrStatus ScheduleChangeIndicator ScheduleChangeStatus NeedToTicket InstantTicket
  Owner OwnerName IsBrandedFare IsAdditionalCabinType BrandedFareOptions CabinOptions Eticket AllowHold
  PassportRequired TimeLimits OfferExpirationDateTime PaymentExpirationDateTime HstPercentage RewardSettings
  RewardAvailable PointTypes PointValues BookingFeeInfo FeeType TotalPrice BasePrice TaxPrice Commission
  AgencyCommission AgencyYqCommission PortalCharges Markup Surcharge Discount AgentMarkupInfo AgentMarkup
  AgentDiscount AgentHst PromoDiscount PromoCode ChangeFee CancelationFee Before After PaxSeatInfo OfferItem
  BaggageAllowance SegmentRefs PassengerRefs BaggageAllowanceRef SplitPaymentInfo AirItineraryId MultipleFop
  MaxCardsPerPax MaxCardsPerPaxInMFOP ScheduleChange FopRef FopKey FopList Reshop ReshopDifferential
  AddOfferItem OfferItemID Refundable PassengerType PassengerQuantity TotalPriceDetail TotalAmount Service
  ServiceID FlightRefs FareDetail Price BaseAmount TaxAmount BookingFee Taxes TaxCode FareComponent
  PriceClassRef FareBasis FareBasisCode Refs Code RBD CabinType SeatLeft OriginalOrder NewOffer PenaltyAmount
  ReshopDue Payments Payment Amount ChequeNumber Method PaymentCard CardCode CardNumber SeriesCode
  CardHolderName EffectiveExpireDate Effective Expiration DataLists PassengerList Passengers attributes
  PassengerID PTC BirthDate NameTitle FirstName MiddleName LastName Gender TravelDocument DocumentNumber
  ExpiryDate IssuingCountry DocumentType Preference WheelChairPreference Reason SeatPreference
  LoyaltyProgramAccount ProgramID AirlineID AccountNumber ContactInfoRef DisclosureList Disclosures contactEmail
  contactNumber ContactAddress FareList FareGroup FareGroupRef FareCode FlightSegmentList FlightSegment
  SegmentKey Departure Arrival AirportCode Date Time AirportName Terminal MarketingCarrier OperatingCarrier
  FlightNumber Equipment AircraftCode MarriageGroup FlightDetail FlightDuration Value Stops InterMediate
  AirMilesFlown BrandId FlightList Flight FlightKey Journey SegmentReferences OriginDestinationList
  OriginDestination OriginDestinationKey DepartureCode ArrivalCode FlightReferences PriceClassList PriceClass
  PriceClassID Descriptions Description Text BaggageAllowanceList BaggageAllowanceID BaggageCategory
  AllowanceDescription ApplicableParty PieceAllowance TotalQuantity Unit CC DC CASH CHEQUE ACH PG Allowed Types
  F P Charges TicketDocInfos TicketDocInfo TicketDocument TicketDocNbr PassengerReference ServiceDefinitionList
  ServiceDefinition ServiceDefinitionID ServiceType ServiceCode ServiceName threeDsResponse ALaCarteOffer
  Parameters TotalItemQuantity OfferExpiration ALaCarteOfferItem Eligibility Base Tax Total ServiceList
  OfferItemRefs ServiceDefinitionRef SeatMap SegmentRef ColumnLayOut Position Deck RowInfo Start End WingRow
  Rows Column Number RowExists ExitRow ExtraLegRoom Seat SeatExists Servicable Available SeatId PaxRef Chargable
  SeatFecilities FlightRef AirlineId AircraftName IntermediateInfo ResBookDesigCode Cabin Rules Rule Category
  Status AmendmentsActions Accept Cancel ReSchedule ScheduleChangeSegmentList ScheduleChangeSegment
  SegmentDetails Result ErrorMessage TicketDetails Msg Response BookingStatus ErrorMsg RefundAmount RefundText
  RefundPaxWiseFare TicketNumber OffersGroup AirlineOffers AirlineOfferSnapshot MatchedOfferQuantity
  OfferPriceRQ OfferPriceRS Query OfferID Passenger OrderReshopRQ OrderReshopRS OrderServicing Add Qualifier
  ExistingOrderQualifier OrderKeys GetBrandedOffersRQ GetBrandedOffersRS AirSplitOfferRQ AirSplitOfferRS
  AirServiceListRQ AirServiceListRS AirSeatMapRQ AirSeatMapRS FareRulesRQ AirFareRulesRS AirDocRetreiveRQ
  OrderStatusRQ OrderCancelRQ AirTicketVoidRQ AirTicketVoidRS NeedToCancelBooking OrderInvoluntaryAcceptRQ
  OrderInvoluntaryAcceptRS OrderInvoluntaryCancelRQ OrderInvoluntaryCancelRS ReshopOffers AcknowledgeResponse
  Message
`
  .trim()
  .split(/\s+/);
